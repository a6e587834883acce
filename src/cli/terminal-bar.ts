import type { SingleBar } from 'cli-progress';

/** Makes bars of progress on a terminal. The package is loaded when one is wanted. */
export async function loadBars(stream: NodeJS.WriteStream): Promise<(format: string) => SingleBar> {
  const { SingleBar: Bar } = (await import('cli-progress')).default;
  return (format) => new Bar({ format, stream, hideCursor: true, clearOnComplete: true });
}

/** Makes room for a line of text where a bar is. */
export function clearLine(stream: NodeJS.WriteStream): void {
  stream.write('\r\u001b[K');
}
