import assert from 'node:assert/strict';
import { it } from 'node:test';
import { expandWords } from './expand-words.ts';
import { typedRefusal } from './typed-refusal.ts';

it('leads a refusal of the service back to what was typed', () => {
  const typed = 'evil AND event.severity:high';
  const { text } = expandWords(typed);
  const at = text.indexOf('high');
  const message = `SearchException on query ${text}: "high" is no number.`;
  assert.deepEqual(typedRefusal({ message, at }, typed), {
    message: `SearchException on query ${typed}: "high" is no number.`,
    at: typed.indexOf('high'),
    problem: undefined,
  });
  assert.equal(typedRefusal({ message: 'No.', at: text.indexOf('message:') }, typed).at, 0);
  assert.equal(typedRefusal({ message: 'No.', at: 'filters.0' }, typed).at, 'filters.0');
});
