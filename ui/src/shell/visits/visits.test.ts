import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NOTE_INTERVAL, timesOfLeaving, timesOfPresence, VISIT_PAUSE } from './visits.ts';

const NOW = new Date('2026-01-15T12:00:00.000Z');
const before = (milliseconds: number) => new Date(NOW.getTime() - milliseconds).toISOString();

describe('the times of visits', () => {
  it('have no last visit on the first one', () => {
    assert.deepEqual(timesOfPresence({}, NOW), { lastSeen: NOW.toISOString() });
    assert.deepEqual(timesOfPresence({ lastSeen: 'odd' }, NOW), { lastSeen: NOW.toISOString() });
  });
  it('keep the last visit while one continues, and are not written too often', () => {
    assert.equal(timesOfPresence({ lastSeen: before(NOTE_INTERVAL - 1) }, NOW), undefined);
    assert.deepEqual(timesOfPresence({ lastSeen: before(VISIT_PAUSE) }, NOW), { lastSeen: NOW.toISOString() });
  });
  it('take the end of a visit after a pause, and after the reader signed out', () => {
    const end = before(VISIT_PAUSE + 1);
    assert.deepEqual(timesOfPresence({ lastSeen: end }, NOW), { lastSeen: NOW.toISOString(), lastVisit: end });
    assert.equal(timesOfLeaving(NOW).lastVisit, NOW.toISOString());
  });
  it('survive a clock that was set back', () => {
    assert.deepEqual(timesOfPresence({ lastSeen: before(-3_600_000) }, NOW), { lastSeen: NOW.toISOString() });
  });
});
