import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Alert } from '../alert.ts';
import { progressOf } from './progress.ts';

const OPEN = { id: 'a', status: 'open', assignment: 'unassigned', escalation: 'hit', comment: [], related: [] };
const alertWith = (howler: object) => ({ howler: { ...OPEN, ...howler } }) as unknown as Alert;
const ana = { me: 'ana', offered: {} };
const RESOLVED = { status: 'resolved', assignment: 'ben', assessment: 'legitimate', escalation: 'miss' };

describe('how much of a change was written', () => {
  it('is seen in the triage, request by request', () => {
    const before = alertWith(RESOLVED);
    const assess = { kind: 'assess', assessment: 'recon', rationale: 'Seen' } as const;
    const reached = (howler: object) => progressOf(assess, before, alertWith(howler), ana);
    assert.equal(reached(RESOLVED), 'none');
    assert.equal(reached({ status: 'in-progress', assignment: 'ana' }), 'part');
    const verdict = { assessment: 'recon', rationale: 'Seen', escalation: 'evidence' };
    assert.equal(reached({ status: 'resolved', assignment: 'ana', ...verdict }), 'all');
    assert.equal(reached({ status: 'in-progress', assignment: 'cho' }), 'other');
    assert.equal(reached({ status: 'resolved', assignment: 'cho', ...verdict }), 'other');
  });

  it('is seen in the labels of the change alone', () => {
    const change = { kind: 'label', set: 'generic', add: ['new'], remove: ['old'] } as const;
    const before = alertWith({ labels: { generic: ['old'] } });
    const reached = (...generic: string[]) => progressOf(change, before, alertWith({ labels: { generic } }), ana);
    assert.equal(reached('old'), 'none');
    assert.equal(reached('old', 'theirs'), 'none');
    assert.equal(reached('old', 'new'), 'part');
    assert.equal(reached('new', 'theirs'), 'all');
  });

  it('is seen in a new comment of the person with the same words', () => {
    const comment = (id: string, user: string, value: string) => ({ id, user, value });
    const before = alertWith({ comment: [comment('1', 'ana', 'Seen')] });
    const reached = (...more: object[]) =>
      progressOf(
        { kind: 'comment', text: 'Seen' },
        before,
        alertWith({ comment: [comment('1', 'ana', 'Seen'), ...more] }),
        ana,
      );
    assert.equal(reached(), 'none');
    assert.equal(reached(comment('2', 'ben', 'Seen'), comment('3', 'ana', 'Other')), 'none');
    assert.equal(reached(comment('2', 'ana', 'Seen')), 'all');
  });

  it('is seen in the own vote, and in the cases of the alert', () => {
    const vote = { kind: 'vote', vote: 'benign', email: 'ana@triad.example' } as const;
    const votes = (...benign: string[]) => alertWith({ votes: { benign, obscure: [], malicious: [] } });
    assert.equal(progressOf(vote, votes(), votes('ben@triad.example'), ana), 'none');
    assert.equal(progressOf(vote, votes(), votes('ana@triad.example'), ana), 'all');
    assert.equal(progressOf(vote, votes('ana@triad.example'), votes(), ana), 'all');
    const file = { kind: 'file', caseId: 'c' } as const;
    assert.equal(progressOf(file, alertWith({}), alertWith({ related: ['d'] }), ana), 'none');
    assert.equal(progressOf(file, alertWith({}), alertWith({ related: ['c'] }), ana), 'all');
    assert.equal(progressOf(file, alertWith({ related: ['c'] }), alertWith({ related: ['c'] }), ana), 'none');
  });
});
