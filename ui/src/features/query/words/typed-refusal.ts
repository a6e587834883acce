import type { ServerRefusal } from '../language/server-problem.ts';
import { expandWords } from './expand-words.ts';

/** Returns the refusal of an expanded query as one of the query that was typed, for its mark there. */
export function typedRefusal({ message, at, problem }: ServerRefusal, typed: string): ServerRefusal {
  const { text, typedAt } = expandWords(typed);
  return { message: message.replace(text, () => typed), at: typeof at === 'number' ? typedAt(at) : at, problem };
}
