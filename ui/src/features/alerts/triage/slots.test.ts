import assert from 'node:assert/strict';
import { it } from 'node:test';
import { RunState } from './bulk/run-state.ts';
import { BulkSlot } from './slots.ts';

it('shows each bulk until its own end, in the order of their beginnings', () => {
  const slot = new BulkSlot([]);
  const first = { run: new RunState(1), title: 'First' };
  const second = { run: new RunState(1), title: 'Second' };
  const seen: string[] = [];
  slot.subscribe(() =>
    seen.push(
      slot
        .read()
        .map(({ title }) => title)
        .join(' '),
    ),
  );
  slot.add(first);
  slot.add(second);
  slot.remove(first);
  slot.remove(first);
  assert.deepEqual(slot.read(), [second]);
  slot.remove(second);
  assert.deepEqual(seen.slice(0, 3), ['First', 'First Second', 'Second']);
  assert.equal(seen.at(-1), '');
});
