import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Coordination } from '../coordination/coordination.ts';
import { openEmbeddedCoordination } from '../coordination/embedded/embedded-coordination.ts';
import { Unavailable } from '../errors/errors.ts';
import { until } from '../testing/until.ts';
import { JobRecords } from './job-records.ts';

const BEGUN = { started_at: '2026-01-01T00:00:00.000Z', started_by: null };
const ENDED = { ...BEGUN, ended_at: '2026-01-01T00:00:01.000Z', outcome: 'done', changed: 1, error: null } as const;

describe('records of jobs', () => {
  let coordination: Coordination;
  let warnings: object[];
  let records: JobRecords;
  beforeEach(async () => {
    coordination = await openEmbeddedCoordination({ folder: 'memory' });
    warnings = [];
    records = new JobRecords(coordination, { warn: (details) => void warnings.push(details) });
  });
  afterEach(() => coordination.close());

  it('tell what runs, until it ends or its process is gone', async () => {
    const running = { ...BEGUN, done: 1, total: 2 };
    await records.running('probe', running, 60_000);
    assert.deepEqual(await records.current('probe'), running);
    await records.ended('probe', { ...ENDED, steps: [] });
    assert.equal(await records.current('probe'), undefined);
    assert.deepEqual(await records.last(), new Map([['probe', { ...ENDED, steps: [] }]]));
    await records.running('probe', running, 20);
    await until('the lease is over', async () => (await records.current('probe')) === undefined);
  });

  it('are short, regardless of what a job reports', async () => {
    const step = { name: 'part', outcome: 'failed', changed: 0, detail: 'x'.repeat(5000) } as const;
    await records.ended('probe', { ...ENDED, steps: Array.from({ length: 500 }, () => step), error: 'y'.repeat(5000) });
    const record = (await records.last()).get('probe');
    assert.equal(record?.steps.length, 100);
    assert.equal(record?.steps[0]?.detail?.length, 500);
    assert.equal(record?.error?.length, 500);
  });

  it('fail no run: what cannot be recorded is logged', async () => {
    const gone = () => Promise.reject(new Unavailable('coordination_unavailable', 'Redis does not respond.'));
    const tokens = { ...coordination.tokens, put: gone };
    const tables = { ...coordination.tables, put: gone };
    const lost = new JobRecords({ tokens, tables }, { warn: (details) => void warnings.push(details) });
    await lost.running('probe', { ...BEGUN, done: null, total: null }, 1000);
    await lost.ended('probe', { ...ENDED, steps: [] });
    assert.equal(warnings.length, 2);
  });
});
