import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Alert, AlertCopy } from '../alert.ts';
import { reversalOf } from './reversals.ts';

const alertWith = (howler: Partial<Alert['howler']>) =>
  ({
    howler: { id: 'a', status: 'open', assignment: 'unassigned', escalation: 'hit', comment: [], ...howler },
  }) as Alert;
const copyWith = (howler: Partial<Alert['howler']>): AlertCopy => ({ alert: alertWith(howler), version: '2---1' });
const labels = (...generic: string[]) => ({ labels: { generic } }) as Partial<Alert['howler']>;
const comment = (id: string, value: string) => ({ id, value }) as Alert['howler']['comment'][number];

describe('what takes a change back', () => {
  it('is the former triage, with what the change made of it', () => {
    const after = copyWith({ status: 'resolved', assessment: 'recon', escalation: 'evidence', assignment: 'ana' });
    const reversal = reversalOf({ kind: 'assess', assessment: 'recon' }, alertWith({}), after);
    assert.equal(reversal?.kind, 'restore');
    assert.equal(reversal.before.status, 'open');
    assert.equal(reversal.after.assessment, 'recon');
  });

  it('concerns only labels that the change added or removed', () => {
    const change = { kind: 'label', set: 'generic', add: ['old', 'new'], remove: ['gone', 'never'] } as const;
    const reversal = reversalOf(change, alertWith(labels('old', 'gone')), copyWith(labels('old', 'new')));
    assert.deepEqual(reversal, { kind: 'label', set: 'generic', add: ['gone'], remove: ['new'] });
    const nothing = { ...change, add: ['old'], remove: [] };
    assert.equal(reversalOf(nothing, alertWith(labels('old')), copyWith(labels('old'))), undefined);
  });

  it('deletes the own comment, not an equal one that was there before', () => {
    const before = alertWith({ comment: [comment('1', 'seen')] });
    const after = copyWith({ comment: [comment('1', 'seen'), comment('2', 'seen'), comment('3', 'other')] });
    assert.deepEqual(reversalOf({ kind: 'comment', text: 'seen' }, before, after), {
      kind: 'deleteComment',
      commentId: '2',
    });
  });

  it('gives the former vote again, and removes a first one', () => {
    const email = 'ana@triad.example';
    const voted = alertWith({ votes: { benign: [email], obscure: [], malicious: [] } });
    const vote = { kind: 'vote', vote: 'malicious', email } as const;
    assert.deepEqual(reversalOf(vote, voted, copyWith({})), { ...vote, vote: 'benign' });
    assert.deepEqual(reversalOf(vote, alertWith({}), copyWith({})), vote);
  });

  it('takes the item out of the case, where it is known', () => {
    const change = { kind: 'file', caseId: 'c' } as const;
    assert.deepEqual(reversalOf(change, alertWith({}), copyWith({}), 'i'), {
      kind: 'unfile',
      caseId: 'c',
      itemId: 'i',
    });
    assert.equal(reversalOf(change, alertWith({}), copyWith({})), undefined);
  });
});
