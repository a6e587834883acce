import type { AnalyzerResult } from '../analyzer.ts';

/** Reply of an analyzer process. It read a hostile file, so no member of it is trusted. */
export type AnalyzerReply = { readonly result: AnalyzerResult } | { readonly error: string };

/** Bytes of one reply. */
export const MAX_REPLY = 16 * 1024 * 1024;

/** Reads a reply. The members of the result are unchecked. @throws Error when it is not one */
export function readReply(line: string): { readonly result: Record<string, unknown> } | { readonly error: string } {
  const reply: unknown = JSON.parse(line);
  if (isObject(reply)) {
    if (typeof reply.error === 'string') return { error: reply.error };
    if (isObject(reply.result)) return { result: reply.result };
  }
  throw new Error('The reply has neither a result nor an error.');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
