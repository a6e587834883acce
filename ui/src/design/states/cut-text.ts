/** Returns a string of at most so many characters, with an ellipsis where more was there. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  // A surrogate pair stays whole, or goes.
  const end = text.codePointAt(most - 2) === text.charCodeAt(most - 2) ? most - 1 : most - 2;
  return `${text.slice(0, end)}…`;
}
