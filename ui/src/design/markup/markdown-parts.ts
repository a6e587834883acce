/** One part takes a browser less than one frame to draw. */
const PART_LENGTH = 16_000;

/**
 * Splits long markdown where a paragraph ends, outside of fenced code; a paragraph that is too long is
 * cut at a line.
 */
export function markdownParts(text: string, partLength = PART_LENGTH): string[] {
  if (text.length <= partLength) return [text];
  const parts: string[] = [];
  let part: string[] = [];
  let length = 0;
  let fence: string | undefined;
  const close = () => {
    if (part.length > 0) parts.push(part.join('\n'));
    part = [];
    length = 0;
  };
  for (const line of text.split('\n').flatMap((whole) => piecesOf(whole, partLength))) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
    const isEnd = fence === undefined && line.trim() === '' && length > partLength / 2;
    if (length > 0 && length + line.length > partLength) {
      // Code that continues in the next part stays code there.
      if (fence !== undefined && mark === undefined) part.push(fence);
      close();
      if (fence !== undefined && mark === undefined) part.push(fence);
    }
    part.push(line);
    length += line.length + 1;
    if (isEnd) close();
  }
  close();
  return parts;
}

function piecesOf(line: string, length: number): string[] {
  if (line.length <= length) return [line];
  return Array.from({ length: Math.ceil(line.length / length) }, (_, index) =>
    line.slice(index * length, (index + 1) * length),
  );
}
