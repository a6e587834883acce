/** Characters that the service takes. */
export const MAX_COMMENT = 5000;

/** Returns what was typed after a comment that is sent now, or everything where it was changed itself. */
export function typedSince(sent: string, present: string): string {
  return present.startsWith(sent) ? present.slice(sent.length).trimStart() : present;
}

/** A mention that is being typed: `@` and the beginning of a user name before the cursor. */
export interface TypedMention {
  readonly start: number;
  readonly typed: string;
}

/** Returns the mention that the cursor stands at the end of, if any. */
export function mentionAt(text: string, cursor: number): TypedMention | undefined {
  const found = /(?:^|\s)@([\p{L}\p{N}_.-]{0,40})$/u.exec(text.slice(0, cursor));
  if (found === null) return undefined;
  const typed = found[1] ?? '';
  return { start: cursor - typed.length - 1, typed };
}

/** Returns the text with a completed mention, and where the cursor stands then. */
export function withMention(text: string, { start, typed }: TypedMention, user: string) {
  const before = `${text.slice(0, start)}@${user} `;
  return { text: before + text.slice(start + 1 + typed.length).trimStart(), cursor: before.length };
}
