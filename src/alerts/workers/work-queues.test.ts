import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Unavailable } from '../../errors/errors.ts';
import { anActor } from '../../testing/alerts/alert-services.ts';
import { CorrelationQueue, readCorrelationJobs } from './correlation-queue.ts';
import { MAX_ITEM_HITS, readTriggerItem, type TriggerItem, TriggerQueue } from './trigger-queue.ts';

const ana = anActor();
const log = { warn() {}, error() {} };
const gone = async () => {
  throw new Unavailable('coordination_unavailable', 'gone');
};
/** Keeps what is pushed. */
function recorder() {
  const pushed: unknown[] = [];
  return { pushed, push: async (_queue: string, items: readonly unknown[]) => void pushed.push(...items) };
}
const reports = { add: async () => {} };
const hits = Array.from({ length: 2 * MAX_ITEM_HITS + 1 }, (_, n) => ({
  howler: { id: `h${n}` },
  classification: 'UNRESTRICTED',
}));

describe('the queue of a trigger', () => {
  it('splits what one request changed, in items with identifiers of their own', async () => {
    const queues = recorder();
    await new TriggerQueue({ queues, reports, log, enabled: true }).fire('create', ana, hits, undefined);
    const items = queues.pushed as TriggerItem[];
    assert.deepEqual(
      items.map((item) => item.hit_ids.length),
      [MAX_ITEM_HITS, MAX_ITEM_HITS, 1],
    );
    assert.equal(new Set(items.map(({ id }) => id)).size, 3);
    assert.deepEqual(items.map(readTriggerItem), items);
  });

  it('fails no request', async () => {
    const triggers = new TriggerQueue({ queues: { push: gone }, reports, log, enabled: true });
    await triggers.fire('create', ana, hits.slice(0, 1), undefined);
    triggers.runInlineBy(gone);
    await triggers.fire('create', ana, hits.slice(0, 1), undefined);
  });
});

describe('the queue of the rules of cases', () => {
  it('takes the records of a request together', async () => {
    const queues = recorder();
    const queue = new CorrelationQueue({ queues, log, enabled: true });
    const ids = hits.map(({ howler }) => howler.id);
    assert.deepEqual(await queue.schedule(ids), []);
    assert.deepEqual(
      queues.pushed.flatMap(readCorrelationJobs),
      ids.map((id) => ({ id, rule_id: null })),
    );
    assert.equal(queues.pushed.length, 3);
  });

  it('warns the sender while there is no queue, and not when correlation is off', async () => {
    const failing = { push: gone };
    const warnings = await new CorrelationQueue({ queues: failing, log, enabled: true }).schedule(['h1']);
    assert.deepEqual(warnings, ['Correlation processing could not be scheduled.']);
    assert.deepEqual(await new CorrelationQueue({ queues: failing, log, enabled: false }).schedule(['h1']), []);
  });
});
