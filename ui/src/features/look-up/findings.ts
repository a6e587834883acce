import { entriesMember, listMember, memberOf, stringMember } from '../../json/members.ts';
import type { Selector } from './text-rows.ts';

/** The worst first. `none`: no source has an opinion. */
export const OPINIONS = ['malicious', 'suspicious', 'obscure', 'benign', 'none'] as const;
export type Opinion = (typeof OPINIONS)[number];

export const SORTS = ['opinion', 'type', 'value', 'source'] as const;
export type SortColumn = (typeof SORTS)[number];

/** A statement of a source about a value. */
export interface Finding {
  readonly type: string;
  readonly value: string;
  readonly source: string;
  /** Kind: opinion, frequency, assessment, mitigation, context, or a kind of a later version. */
  readonly kind: string;
  readonly statement: string;
  readonly summary: string;
}

/** A row of the table: a finding, or a selector of which no source knows anything. */
export interface FindingRow {
  readonly selector: Selector;
  readonly finding?: Finding | undefined;
  /** The opinion of the finding itself on the selector; `none` where it is of another kind. */
  readonly ownOpinion: Opinion;
  /** The worst opinion of all sources about the selector: the rows of the worst ones come first. */
  readonly opinion: Opinion;
}

export interface FindingFilter {
  readonly opinion?: Opinion | undefined;
  readonly type?: string | undefined;
  readonly source?: string | undefined;
}

/** A line of the answer of a lookup: findings, or at the end the errors of sources. */
export interface AnswerLine {
  readonly findings: readonly Finding[];
  /** Sentences by the name of the source. */
  readonly errors: ReadonlyMap<string, string>;
}

export const selectorKey = ({ type, value }: { readonly type: string; readonly value: string }) => `${type} ${value}`;

/** Reads a line of the answer. Entries of another shape are left out. */
export function readAnswerLine(line: unknown): AnswerLine {
  const errors = new Map<string, string>();
  for (const [source, summary] of entriesMember(line, 'sources')) {
    const error = stringMember(summary, 'error');
    if (error !== '') errors.set(source, error);
  }
  const about = {
    type: stringMember(line, 'type'),
    value: stringMember(line, 'value'),
    source: stringMember(line, 'source'),
  };
  const findings = listMember(memberOf(line, 'result'), 'items').flatMap((item) =>
    listMember(item, 'annotations').map((annotation) => ({
      ...about,
      kind: stringMember(annotation, 'type'),
      statement: stringMember(annotation, 'value'),
      summary: stringMember(annotation, 'summary'),
    })),
  );
  return { findings, errors };
}

/** Returns the opinion of a finding; `none` for other kinds, and for opinions of later versions. */
export function opinionOf({ kind, statement }: Finding): Opinion {
  return (kind === 'opinion' ? OPINIONS.find((one) => one === statement) : undefined) ?? 'none';
}

/** Returns the worst opinion about each selector, by its key. */
export function worstOpinions(findings: readonly Finding[]): ReadonlyMap<string, Opinion> {
  const worst = new Map<string, Opinion>();
  for (const finding of findings) {
    const key = selectorKey(finding);
    const opinion = opinionOf(finding);
    if (rankOf(opinion) < rankOf(worst.get(key) ?? 'none')) worst.set(key, opinion);
  }
  return worst;
}

/** Joins selectors with what sources said; selectors of which nothing is known have one row. */
export function findingRows(
  selectors: readonly Selector[],
  findings: readonly Finding[],
  opinions: ReadonlyMap<string, Opinion>,
): FindingRow[] {
  const bySelector = Map.groupBy(findings, selectorKey);
  return selectors.flatMap((selector): FindingRow[] => {
    const key = selectorKey(selector);
    const opinion = opinions.get(key) ?? 'none';
    const own = bySelector.get(key)?.toSorted((left, right) => rankOf(opinionOf(left)) - rankOf(opinionOf(right)));
    return (
      own?.map((finding) => ({ selector, finding, ownOpinion: opinionOf(finding), opinion })) ?? [
        { selector, ownOpinion: 'none', opinion },
      ]
    );
  });
}

export function filterRows(rows: readonly FindingRow[], { opinion, type, source }: FindingFilter): FindingRow[] {
  return rows.filter(
    (row) =>
      (opinion === undefined || row.opinion === opinion) &&
      (type === undefined || row.selector.type === type) &&
      (source === undefined || row.finding?.source === source),
  );
}

/** Sorts rows; the worst opinions are the first of a descending order, and break ties. */
export function sortRows(rows: readonly FindingRow[], column: SortColumn, isAscending: boolean): FindingRow[] {
  const sign = isAscending ? -1 : 1;
  const textOf = (row: FindingRow) =>
    column === 'source' ? (row.finding?.source ?? '') : column === 'type' ? row.selector.type : row.selector.value;
  const compared = (left: FindingRow, right: FindingRow) => {
    const byOpinion = rankOf(left.opinion) - rankOf(right.opinion) || known(right) - known(left);
    if (column === 'opinion') return sign * byOpinion || left.selector.start - right.selector.start;
    return (
      sign * compareStrings(textOf(right), textOf(left)) || byOpinion || left.selector.start - right.selector.start
    );
  };
  return rows.toSorted(compared);
}

function compareStrings(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

const known = ({ finding }: FindingRow) => (finding === undefined ? 0 : 1);

const rankOf = (opinion: Opinion) => OPINIONS.indexOf(opinion);
