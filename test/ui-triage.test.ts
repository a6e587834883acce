import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ESCALATION_OF_ASSESSMENT,
  transitionsFrom,
  triage as triageByService,
} from '../src/alerts/hits/triage/triage-transitions.ts';
import { ASSESSMENTS, STATUSES } from '../src/documents/kinds/record-parts.ts';
import type { Triage } from '../ui/src/features/alerts/triage/alert.ts';
import type { TriageChange } from '../ui/src/features/alerts/triage/changes/changes.ts';
import { afterStep, escalationOf, stepsOf } from '../ui/src/features/alerts/triage/changes/transitions.ts';

const NOW = 'NOW';
const CHANGES: readonly TriageChange[] = [
  { kind: 'assess', assessment: 'recon', rationale: 'seen' },
  { kind: 'assess', assessment: 'legitimate' },
  { kind: 'take' },
  { kind: 'assign', to: 'ben' },
  { kind: 'assign', to: 'ana' },
  { kind: 'release' },
  { kind: 'start' },
  { kind: 'pause' },
  { kind: 'resume' },
  { kind: 'reopen' },
  { kind: 'promote' },
  { kind: 'promote', escalation: 'evidence' },
  { kind: 'demote', escalation: 'miss' },
];
const OFFERED = Object.fromEntries(STATUSES.map((status) => [status, transitionsFrom(status)]));
const NO_VOTES = { benign: [], obscure: [], malicious: [] };

/** Returns the state after a step, by the table of the service. */
function byService(state: Triage, { transition, data }: ReturnType<typeof firstSteps>[number]): Triage {
  const { status, assignment } = state;
  const changes = triageByService({ transition, hit: { status, assignment, votes: NO_VOTES }, username: 'ana', data });
  const after: Record<string, unknown> = { ...state };
  for (const { key, value } of changes) {
    const name = key.replace('howler.', '');
    after[name] = value ?? (name === 'escalation' ? 'hit' : undefined);
  }
  return after as unknown as Triage;
}

function firstSteps(change: TriageChange, state: Triage) {
  const steps = stepsOf(change, state, 'ana', OFFERED);
  return typeof steps === 'string' ? [] : steps;
}

describe('the interface', () => {
  it('plans only transitions that the service makes, and foresees what they lead to', () => {
    let compared = 0;
    for (const status of STATUSES) {
      for (const assignment of ['unassigned', 'ana', 'ben']) {
        const verdict = status === 'resolved' ? ({ assessment: 'recon', escalation: 'evidence' } as const) : {};
        const start: Triage = { status, assignment, escalation: 'hit', ...verdict };
        for (const change of CHANGES) {
          let state = start;
          for (const step of firstSteps(change, start)) {
            const foreseen = afterStep(step, state, 'ana', NOW);
            const made = byService(state, step);
            assert.deepEqual(withoutAbsent(foreseen), withoutAbsent(made), `${status} ${assignment} ${change.kind}`);
            state = made;
            compared += 1;
          }
        }
      }
    }
    assert.ok(compared > 80, String(compared));
  });

  it('knows what each verdict means', () => {
    for (const assessment of ASSESSMENTS) assert.equal(escalationOf(assessment), ESCALATION_OF_ASSESSMENT[assessment]);
  });

  it('refuses what makes no sense, before any request', () => {
    const mine: Triage = { status: 'in-progress', assignment: 'ana', escalation: 'hit' };
    assert.equal(stepsOf({ kind: 'take' }, mine, 'ana', OFFERED), 'alreadyYours');
    assert.equal(stepsOf({ kind: 'assign', to: 'ana' }, mine, 'ana', OFFERED), 'alreadyTheirs');
    assert.equal(stepsOf({ kind: 'pause' }, mine, 'ben', OFFERED), 'notYours');
    assert.equal(stepsOf({ kind: 'resume' }, mine, 'ana', OFFERED), 'notOffered');
    assert.equal(stepsOf({ kind: 'demote', escalation: 'hit' }, mine, 'ana', OFFERED), 'alreadyThere');
    assert.equal(stepsOf({ kind: 'take' }, { ...mine, status: 'open' }, 'ben', { open: ['vote'] }), 'notOffered');
  });
});

function withoutAbsent(state: Triage): object {
  return Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined && value !== null));
}
