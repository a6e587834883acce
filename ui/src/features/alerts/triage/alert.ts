import type { components } from '../../../api/generated/alerts.ts';

type Schemas = components['schemas'];

/** An alert as the service answers it, with what `metadata` adds. */
export type Alert = Schemas['Hit'] & {
  readonly __template?: Schemas['Template'] | null;
  readonly __overview?: Schemas['Overview'] | null;
  readonly __analytic?: Schemas['Analytic'] | null;
  readonly __dossiers?: readonly Schemas['Dossier'][];
};

export type Comment = Schemas['Comment'];
export type LogEntry = Schemas['Log'];
export type Status = Alert['howler']['status'];
export type Escalation = Alert['howler']['escalation'];
export type Assessment = NonNullable<Alert['howler']['assessment']>;
export type LabelSet = keyof Schemas['Label'];
export type Vote = keyof Schemas['Votes'];

export const VOTES: readonly Vote[] = ['benign', 'obscure', 'malicious'];

/** An alert with the version of its record, which `If-Match` takes. */
export interface AlertCopy {
  readonly alert: Alert;
  /** Undefined: not known, for example of a search result. */
  readonly version: string | undefined;
}

/** The assignment of an alert that no one works on. */
export const UNASSIGNED = 'unassigned';

/** The fields that rows need so that triage works on them. */
export const TRIAGE_FIELDS = [
  'howler.id',
  'howler.analytic',
  'howler.status',
  'howler.assignment',
  'howler.escalation',
  'howler.assessment',
  'howler.rationale',
  'howler.triaged',
] as const;

/** The members of an alert that triage changes. */
export interface Triage {
  readonly status: Status;
  readonly assignment: string;
  readonly escalation: Escalation;
  readonly assessment?: Assessment | undefined;
  readonly rationale?: string | undefined;
  readonly triaged?: string | undefined;
}

/** Returns the triage of an alert or of a row of a search, whose absent fields have their defaults. */
export function triageOf({ howler }: { readonly howler: Partial<Alert['howler']> }): Triage {
  const { status = 'open', assignment = UNASSIGNED, escalation = 'hit', assessment, rationale, triaged } = howler;
  return { status, assignment, escalation, assessment, rationale, triaged };
}

/** Returns whether two states mean the same to a person; the moment of a verdict does not count. */
export function isSameTriage(left: Triage, right: Triage): boolean {
  return (
    left.status === right.status &&
    left.assignment === right.assignment &&
    left.escalation === right.escalation &&
    left.assessment === right.assessment &&
    (left.rationale ?? '') === (right.rationale ?? '')
  );
}

/** Returns a copy of an alert with another triage. */
export function withTriage<Row extends { readonly howler: Partial<Alert['howler']> }>(alert: Row, triage: Triage): Row {
  return { ...alert, howler: { ...alert.howler, ...triage } };
}

/** Compares versions of a record (`[<index>---]<sequence>---<term>`); unknown ones count as older. */
export function isNewerVersion(version: string | undefined, than: string | undefined): boolean {
  const [sequence, term] = partsOf(version);
  const [otherSequence, otherTerm] = partsOf(than);
  return term === otherTerm ? sequence > otherSequence : term > otherTerm;
}

function partsOf(version: string | undefined): readonly [sequence: number, term: number] {
  const [sequence, term] = (version ?? '').split('---').slice(-2).map(Number);
  return Number.isFinite(sequence) && Number.isFinite(term) ? [sequence as number, term as number] : [-1, -1];
}
