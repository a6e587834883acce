/** Milliseconds after which a browser has taken the content of a file that it saves. */
const TAKEN = 60_000;

/** Saves content as a file of this name, by the browser. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), TAKEN);
}
