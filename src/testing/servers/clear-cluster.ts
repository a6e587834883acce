import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Deletes every index and index template of a search engine whose name begins with `<prefix>-`. */
export async function clearCluster(url: string, prefix: string): Promise<void> {
  const listed = await fetch(`${url}/_cat/indices/${prefix}-*?format=json&h=index&expand_wildcards=all`);
  const names = ((await listed.json()) as { index: string }[]).map(({ index }) => index);
  // By their names: engines may be set to delete nothing by a pattern.
  for (const name of names) await remove(`${url}/${encodeURIComponent(name)}`);
  await remove(`${url}/_index_template/${prefix}-*`);
}

async function remove(address: string): Promise<void> {
  let { status } = await fetch(address, { method: 'DELETE' });
  // A small heap is full now and then.
  for (let again = 0; status === 429 && again < 20; again += 1) {
    await sleep(500);
    ({ status } = await fetch(address, { method: 'DELETE' }));
  }
  assert.ok(status < 300 || status === 404, `DELETE ${address} was answered with ${status}`);
}
