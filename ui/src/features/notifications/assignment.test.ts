import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Announcements, assignmentOf } from './assignment.ts';

const entry = (user: string, value: string, timestamp = '2026-05-01T10:00:00Z') => ({
  ...{ user, timestamp, key: 'howler.assignment', new_value: value, previous_value: 'unassigned' },
});
const hit = (assignment: string, log: unknown, more: object = {}) => ({
  howler: { id: 'h1', analytic: 'Logins', assignment, log, ...more },
});

describe('an assignment', () => {
  it('is what another person gave to the reader', () => {
    const found = assignmentOf(hit('ana', [entry('bo', 'ana')], { outline: { threat: '10.0.0.1' } }), 'ana');
    const expected = { id: 'h1', analytic: 'Logins', threat: '10.0.0.1', by: 'bo' };
    assert.deepEqual(found, { ...expected, mark: 'h1 2026-05-01T10:00:00Z' });
  });

  it('is not what readers took themselves, nor what others have, nor what a frame does not tell', () => {
    for (const other of [
      hit('ana', [entry('ana', 'ana')]),
      hit('bo', [entry('ana', 'bo')]),
      hit('unassigned', [entry('bo', 'ana'), entry('bo', 'unassigned')]),
      hit('ana', [entry('bo', 'ana'), entry('ana', 'ana')]),
      hit('ana', []),
      hit('ana', 'log'),
      hit('ana', [null, 7]),
      { howler: { assignment: 'ana', log: [entry('bo', 'ana')] } },
      undefined,
      'hit',
    ]) {
      assert.equal(assignmentOf(other, 'ana'), undefined, JSON.stringify(other));
    }
  });

  it('is announced once, and again when it is given again', () => {
    const announcements = new Announcements(Date.parse('2026-05-01T09:00:00Z'));
    const read = (timestamp: string) => assignmentOf(hit('ana', [entry('bo', 'ana', timestamp)]), 'ana');
    const results = [
      '2026-05-01T10:00:00Z',
      '2026-05-01T10:00:00Z',
      '2026-05-01T11:00:00Z',
      '2026-05-01T08:00:00Z',
    ].map((timestamp) => {
      const assignment = read(timestamp);
      return assignment !== undefined && announcements.isNew(assignment);
    });
    assert.deepEqual(results, [true, false, true, false]);
  });
});
