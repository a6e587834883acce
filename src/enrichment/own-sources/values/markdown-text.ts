/** Returns text on one line in which Markdown means nothing. */
export function markdownText(text: string): string {
  return text.replace(/[\\`*_[\]<>|~]/g, '\\$&').replace(/\s+/g, ' ');
}
