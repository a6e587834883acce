import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { calendarRounding, duration, fixedRounding, type TimeRounding } from './time-rounding.ts';
import { timeZone } from './time-zone.ts';

const PARIS = timeZone('Europe/Paris');

describe('buckets of time', () => {
  it('begin with the local day', () => {
    assert.equal(rounded(calendarRounding('day', PARIS), '2026-01-15T22:30:00Z'), '2026-01-14T23:00:00.000Z');
    assert.equal(rounded(fixedRounding('1d', timeZone('+05:30')), '2026-01-15T22:30:00Z'), '2026-01-15T18:30:00.000Z');
  });

  it('are an hour shorter or longer where the clock is set', () => {
    assert.deepEqual(edges(calendarRounding('day', PARIS), '2026-03-28T12:00:00Z', 3), [
      '2026-03-27T23:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ]);
    assert.deepEqual(edges(fixedRounding('1d', PARIS), '2026-10-24T12:00:00Z', 3), [
      '2026-10-23T22:00:00.000Z',
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
    ]);
  });

  it('keep both hours that the clock shows twice', () => {
    assert.deepEqual(edges(calendarRounding('hour', PARIS), '2026-10-25T00:10:00Z', 3), [
      '2026-10-25T00:00:00.000Z',
      '2026-10-25T01:00:00.000Z',
      '2026-10-25T02:00:00.000Z',
    ]);
  });

  it('begin at the jump where the local edge does not exist', () => {
    // Clocks in Beirut went from 00:00 to 01:00.
    const beirut = timeZone('Asia/Beirut');
    assert.equal(rounded(calendarRounding('day', beirut), '2022-03-27T10:00:00Z'), '2022-03-26T22:00:00.000Z');
  });

  it('follow the calendar: weeks from Monday, months, quarters, years', () => {
    const utc = timeZone('UTC');
    const at = '2024-02-29T12:00:00Z';
    assert.equal(rounded(calendarRounding('week', utc), at), '2024-02-26T00:00:00.000Z');
    assert.deepEqual(edges(calendarRounding('1M', utc), at, 2), [
      '2024-02-01T00:00:00.000Z',
      '2024-03-01T00:00:00.000Z',
    ]);
    assert.deepEqual(edges(calendarRounding('quarter', utc), at, 2), [
      '2024-01-01T00:00:00.000Z',
      '2024-04-01T00:00:00.000Z',
    ]);
    assert.deepEqual(edges(calendarRounding('1y', utc), at, 2), [
      '2024-01-01T00:00:00.000Z',
      '2025-01-01T00:00:00.000Z',
    ]);
    assert.equal(rounded(calendarRounding('year', utc), '0000-05-05T00:00:00Z'), '0000-01-01T00:00:00.000Z');
  });

  it('lie side by side: every time is in the bucket whose edge it rounds to', () => {
    for (const zone of ['UTC', 'Europe/Paris', 'America/St_Johns', 'Asia/Kathmandu', 'Africa/Casablanca', '-03:30']) {
      for (const rounding of [
        fixedRounding('7h', timeZone(zone)),
        fixedRounding('2d', timeZone(zone)),
        calendarRounding('week', timeZone(zone)),
        calendarRounding('month', timeZone(zone)),
      ]) {
        let edge = rounding.round(Date.parse('2026-01-01T00:00:00Z'));
        for (let count = 0; count < 60; count += 1) {
          const next = rounding.next(edge);
          assert.ok(next > edge, zone);
          for (const time of [edge, Math.floor((edge + next) / 2), next - 1]) {
            assert.equal(new Date(rounding.round(time)).toISOString(), new Date(edge).toISOString(), zone);
          }
          edge = next;
        }
      }
    }
  });

  it('refuse what is not an interval', () => {
    assert.equal(duration('-90m'), -5_400_000);
    for (const text of ['1w', '1M', '1.5d', 'abc', ''])
      assert.throws(() => duration(text), { code: 'invalid_interval' });
    for (const text of ['0d', '-1d']) assert.throws(() => fixedRounding(text, PARIS), { code: 'invalid_interval' });
    for (const text of ['2d', 'toString'])
      assert.throws(() => calendarRounding(text, PARIS), { code: 'invalid_interval' });
    assert.throws(() => timeZone('Mars/Olympus'), { code: 'invalid_time_zone' });
    assert.throws(() => timeZone('+19:00'), { code: 'invalid_time_zone' });
  });
});

function rounded(rounding: TimeRounding, text: string): string {
  return new Date(rounding.round(Date.parse(text))).toISOString();
}

function edges(rounding: TimeRounding, text: string, count: number): string[] {
  const found: string[] = [];
  for (let edge = rounding.round(Date.parse(text)); found.length < count; edge = rounding.next(edge)) {
    found.push(new Date(edge).toISOString());
  }
  return found;
}
