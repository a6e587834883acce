import assert from 'node:assert/strict';
import { it } from 'node:test';
import { UNDO_MS, UndoSlot } from './undo-slot.ts';

const entry = { id: 'a', version: '1---1', reversal: { kind: 'deleteComment', commentId: 'c' } } as const;
const undoable = { title: 'Commented', entries: [entry] };

it('offers the last change for ten seconds, and gives it out once', ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const slot = new UndoSlot();
  let calls = 0;
  slot.subscribe(() => {
    calls += 1;
  });
  slot.offer(undoable);
  mock.timers.tick(UNDO_MS - 1);
  assert.equal(slot.read(), undoable);
  assert.equal(slot.take(), undoable);
  assert.equal(slot.take(), undefined);
  slot.offer(undoable);
  mock.timers.tick(UNDO_MS);
  assert.equal(slot.read(), undefined);
  assert.equal(calls, 4);
});

it('starts the time again for a later change, and drops the offer for one that left nothing', ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const slot = new UndoSlot();
  slot.offer(undoable);
  mock.timers.tick(UNDO_MS - 1);
  const later = { ...undoable, title: 'Again' };
  slot.offer(later);
  mock.timers.tick(UNDO_MS - 1);
  assert.equal(slot.read(), later);
  slot.offer({ title: 'Nothing', entries: [] });
  assert.equal(slot.read(), undefined);
});
