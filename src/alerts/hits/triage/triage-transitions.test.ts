import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ASSESSMENTS, STATUSES, type Status } from '../../../documents/kinds/record-parts.ts';
import {
  ESCALATION_OF_ASSESSMENT,
  TRANSITIONS,
  type TransitionData,
  type TransitionName,
  type TriageChange,
  type TriagedHit,
  transitionsFrom,
  triage,
} from './triage-transitions.ts';

const NO_VOTES = { benign: [], obscure: [], malicious: [] };
const aHit = (changes: Partial<TriagedHit> = {}): TriagedHit => ({
  status: 'open',
  assignment: 'unassigned',
  votes: NO_VOTES,
  ...changes,
});
const attempt = (transition: TransitionName, hit: TriagedHit, data: TransitionData = {}) =>
  triage({ transition, hit, username: 'ana', data });

/** Data that makes each transition complete. */
const COMPLETE: Record<TransitionName, TransitionData> = {
  assign_to_me: {},
  assign_to_other: { assignee: 'bo' },
  vote: { vote: 'benign', email: 'ana@x.example' },
  assess: { assessment: 'legitimate' },
  release: {},
  start: {},
  pause: {},
  resume: {},
  re_evaluate: {},
  promote: {},
  demote: {},
};

/** The whole table: status → transition → status after it. `undefined`: the log leaves the status out. */
const DESTINATIONS: Record<Status, Partial<Record<TransitionName, Status | undefined>>> = {
  open: {
    assign_to_me: 'in-progress',
    assign_to_other: 'open',
    start: 'in-progress',
    release: 'open',
    assess: 'resolved',
    vote: 'open',
    promote: undefined,
    demote: undefined,
  },
  'in-progress': {
    assign_to_me: 'in-progress',
    assign_to_other: 'in-progress',
    release: 'open',
    pause: 'on-hold',
    assess: 'resolved',
    vote: 'in-progress',
    promote: undefined,
    demote: undefined,
  },
  'on-hold': {
    assign_to_other: 'in-progress',
    resume: 'in-progress',
    vote: 'on-hold',
    promote: undefined,
    demote: undefined,
  },
  resolved: { re_evaluate: 'in-progress', vote: 'resolved', promote: undefined, demote: undefined },
};
/** Only the assignee may. */
const FOR_ASSIGNEE: readonly TransitionName[] = ['start', 'release', 'pause', 'resume'];

describe('the state table', () => {
  for (const status of STATUSES) {
    for (const transition of TRANSITIONS) {
      const allowed = transition in DESTINATIONS[status];
      const destination = DESTINATIONS[status][transition];
      const assignment = FOR_ASSIGNEE.includes(transition) ? 'ana' : 'unassigned';
      it(`${status} + ${transition} → ${allowed ? (destination ?? 'same') : 'refused'}`, () => {
        const make = () => attempt(transition, aHit({ status, assignment }), COMPLETE[transition]);
        if (!allowed) {
          assert.throws(make, {
            code: 'transition_not_allowed',
            message: `Current status '${status}' does not allow the '${transition}' transition.`,
          });
          return;
        }
        assert.equal(valueAt(make(), 'howler.status'), destination);
      });
      if (allowed && FOR_ASSIGNEE.includes(transition)) {
        it(`${status} + ${transition} is for the assignee alone`, () => {
          assert.throws(() => attempt(transition, aHit({ status, assignment: 'bo' })), { code: 'not_assigned_to_you' });
        });
      }
    }
  }

  it('is what the configuration advertises', () => {
    for (const status of STATUSES) {
      assert.deepEqual([...transitionsFrom(status)].sort(), Object.keys(DESTINATIONS[status]).sort());
    }
  });
});

describe('assignment', () => {
  it('goes to the caller, or to whom they name', () => {
    assert.deepEqual(keysAndValues(attempt('assign_to_me', aHit())), [
      ['howler.assignment', 'ana'],
      ['howler.status', 'in-progress'],
    ]);
    assert.equal(valueAt(attempt('assign_to_me', aHit(), { assignee: 'bo' }), 'howler.assignment'), 'bo');
  });

  it('to another needs another', () => {
    assert.throws(() => attempt('assign_to_other', aHit()), { code: 'assignee_missing' });
    assert.throws(() => attempt('assign_to_other', aHit({ assignment: 'bo' }), { assignee: 'bo' }), {
      code: 'assignee_unchanged',
    });
  });

  it('is given back by release', () => {
    assert.equal(valueAt(attempt('release', aHit({ assignment: 'ana' })), 'howler.assignment'), 'unassigned');
  });
});

describe('assessment', () => {
  for (const assessment of ASSESSMENTS) {
    it(`${assessment} means ${ESCALATION_OF_ASSESSMENT[assessment]}`, () => {
      assert.deepEqual(keysAndValues(attempt('assess', aHit(), { assessment, rationale: 'seen' })), [
        ['howler.assessment', assessment],
        ['howler.escalation', ESCALATION_OF_ASSESSMENT[assessment]],
        ['howler.rationale', 'seen'],
        ['howler.triaged', 'NOW'],
        ['howler.status', 'resolved'],
        ['howler.assignment', 'ana'],
      ]);
    });
  }

  it('keeps the rationale out of the log', () => {
    const silent = attempt('assess', aHit(), { assessment: 'recon' }).filter(
      (change) => change.kind === 'set' && change.silent,
    );
    assert.deepEqual(keysAndValues(silent), [['howler.rationale', null]]);
  });

  it('is needed, and has to be known', () => {
    assert.throws(() => attempt('assess', aHit()), { code: 'assessment_missing' });
    assert.throws(() => attempt('assess', aHit(), { assessment: '' }), { code: 'assessment_missing' });
    assert.throws(() => attempt('assess', aHit(), { assessment: 'toString' }), { code: 'assessment_unknown' });
  });

  it('is cleared by a re-evaluation, which takes none', () => {
    const resolved = aHit({ status: 'resolved' });
    assert.deepEqual(keysAndValues(attempt('re_evaluate', resolved, { rationale: 'why' })), [
      ['howler.assessment', null],
      ['howler.escalation', null],
      ['howler.rationale', null],
      ['howler.triaged', null],
      ['howler.status', 'in-progress'],
      ['howler.assignment', 'ana'],
    ]);
    assert.throws(() => attempt('re_evaluate', resolved, { assessment: 'recon' }), { code: 'assessment_not_allowed' });
    assert.throws(() => attempt('re_evaluate', resolved, { assessment: 'odd' }), { code: 'assessment_unknown' });
  });
});

describe('votes', () => {
  const email = 'ana@x.example';
  const vote = (data: TransitionData, hit = aHit()) => keysAndValues(attempt('vote', hit, { email, ...data }));

  it('are added, moved and taken back', () => {
    const benign = aHit({ votes: { ...NO_VOTES, benign: [email] } });
    assert.deepEqual(vote({ vote: 'benign' }), [['append_missing', 'howler.votes.benign'], 'open'].map(votePair));
    assert.deepEqual(
      vote({ vote: 'malicious' }, benign),
      [['remove', 'howler.votes.benign'], ['append_missing', 'howler.votes.malicious'], 'open'].map(votePair),
    );
    assert.deepEqual(vote({ vote: 'benign' }, benign), [['remove', 'howler.votes.benign'], 'open'].map(votePair));
  });

  it('need a voter and a known vote', () => {
    assert.throws(() => attempt('vote', aHit(), { vote: 'benign' }), { code: 'voter_missing' });
    for (const unknown of ['strange', '', undefined]) {
      assert.throws(() => attempt('vote', aHit(), { vote: unknown, email }), { code: 'vote_unknown' });
    }
  });

  it('of the assignee give an open alert back, and are refused on any other', () => {
    assert.equal(
      valueAt(attempt('vote', aHit({ assignment: 'ana' }), { vote: 'benign', email }), 'howler.assignment'),
      'unassigned',
    );
    for (const status of ['in-progress', 'on-hold', 'resolved'] as const) {
      assert.throws(() => attempt('vote', aHit({ status, assignment: 'ana' }), { vote: 'benign', email }), {
        code: 'own_vote',
      });
    }
  });

  function votePair(step: string | string[]): [string, string] {
    return typeof step === 'string' ? ['howler.status', step] : [`${step[1]}`, `${step[0]} ${email}`];
  }
});

describe('escalation', () => {
  it('goes up to alert and down to hit, or where the caller says', () => {
    assert.deepEqual(keysAndValues(attempt('promote', aHit())), [['howler.escalation', 'alert']]);
    assert.deepEqual(keysAndValues(attempt('demote', aHit())), [['howler.escalation', 'hit']]);
    assert.deepEqual(keysAndValues(attempt('promote', aHit(), { escalation: 'evidence' })), [
      ['howler.escalation', 'evidence'],
    ]);
    assert.throws(() => attempt('demote', aHit(), { escalation: 'huge' }), { code: 'escalation_unknown' });
  });
});

function keysAndValues(changes: readonly TriageChange[]): [string, string | null][] {
  return changes.map((change) => [change.key, change.kind === 'set' ? change.value : `${change.kind} ${change.value}`]);
}

function valueAt(changes: readonly TriageChange[], key: string): string | null | undefined {
  return changes.find((change) => change.key === key)?.value;
}
