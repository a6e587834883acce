import { Type } from 'typebox';
import type { Versioned } from '../../../datastore/port/collection.ts';
import type { Version } from '../../../datastore/port/versions.ts';
import { type Hit, UNASSIGNED } from '../../../documents/kinds/hit.ts';
import { InvalidInput } from '../../../errors/errors.ts';
import type { Actor } from '../../../identity/actor.ts';
import { InputProblem, inputReader } from '../../../input/input-reader.ts';
import { changeOperations } from '../changes/hit-log.ts';
import type { ChangeOptions, HitStore } from '../hit-store.ts';
import { type TransitionData, type TransitionName, type TriagedHit, triage, triggerOf } from './triage-transitions.ts';

/** Transitions that clients are told of twice, as by the public system. */
const TOLD_TWICE: readonly TransitionName[] = ['promote', 'demote', 'assess', 're_evaluate'];

/** Moves an alert through triage; throws as `triage`, and `invalid_version`, `version_conflict`. */
export async function applyTransition(
  store: HitStore,
  actor: Actor,
  id: string,
  transition: TransitionName,
  data: TransitionData,
  options: ChangeOptions,
): Promise<Versioned<Hit>> {
  const changesOf = (hit: Hit) => triage({ transition, hit: triagedHit(hit), username: actor.username, data });
  if (options.ifMatch !== undefined && !isVersionOfRecord(options.ifMatch)) {
    // The public system checks the transition, cannot apply it to such a version, and answers with the alert as it is.
    const stored = await store.get(actor, id);
    changesOf(stored.document);
    return stored;
  }
  const fires = triggerOf(transition, data);
  const events = TOLD_TWICE.includes(transition) ? 2 : 1;
  return store.change(actor, id, { ...options, fires, events }, (context) =>
    changeOperations(changesOf(context.hit), context),
  );
}

/** Returns whether records have a version `[<index>---]<seq>---<term>`; throws `invalid_version`. */
function isVersionOfRecord(version: Version): boolean {
  const parts = version.split('---');
  if (parts.length !== 2 && parts.length !== 3) {
    throw new InvalidInput('invalid_version', `Invalid version token for hit: '${version}'`, { at: 'If-Match' });
  }
  return parts.slice(-2).every((part) => /^\d{1,19}$/.test(part));
}

export const TransitionDataBody = Type.Object(
  {
    assignee: Type.Optional(Type.String({ description: 'User name. Default: the caller.' })),
    assessment: Type.Optional(Type.String({ description: 'Verdict, for `assess`.' })),
    rationale: Type.Optional(Type.String({ description: 'Why, for `assess`.' })),
    vote: Type.Optional(Type.String({ description: 'benign, obscure or malicious, for `vote`.' })),
    email: Type.Optional(Type.String({ description: 'Of the voter, for `vote`.' })),
    escalation: Type.Optional(
      Type.String({ description: 'For `promote` (default alert) and `demote` (default hit).' }),
    ),
  },
  { default: {} },
);
const readData = inputReader(TransitionDataBody);

/** Reads the data of a transition. @throws InvalidInput `invalid_transition_data` */
export function readTransitionData(input: unknown): TransitionData {
  const data = readData(input);
  if (!(data instanceof InputProblem)) return data;
  const message =
    data.at === '' ? 'The data of a transition must be an object.' : `The ${data.at} of a transition must be a string.`;
  throw new InvalidInput('invalid_transition_data', message, { at: data.at === '' ? 'data' : `data.${data.at}` });
}

/** Reads members that the scripts of the public system cleared as their defaults. */
function triagedHit({ howler }: Hit): TriagedHit {
  const { votes } = howler;
  return {
    status: howler.status ?? 'open',
    assignment: howler.assignment ?? UNASSIGNED,
    votes: { benign: votes?.benign ?? [], obscure: votes?.obscure ?? [], malicious: votes?.malicious ?? [] },
  };
}
