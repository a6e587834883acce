import type { ClassificationEngine } from '../../../classification/classification.ts';
import type { Config } from '../../../config/config.ts';
import type { LookupFlags } from '../../sources/source-client.ts';
import { textAt, valuesAt } from '../values/held-values.ts';
import { highestClassification } from '../values/value-answers.ts';
import type { AnalysisLinks } from './analysis-links.ts';
import type { KnownFile, ListName, TaggedResults } from './analysis-searches.ts';

/** Lowest scores of the verdicts: `analysis.submission.verdicts`. */
export type Verdicts = Config['analysis']['submission']['verdicts'];

export interface EntryContext {
  readonly engine: ClassificationEngine;
  readonly clearance: string;
  readonly flags: LookupFlags;
  readonly links: AnalysisLinks;
  readonly verdicts: Verdicts;
}

const ANALYTIC = 'analysis';
/** Annotations of one kind. */
const MAX_LISTED = 5;
const ATTRIBUTIONS = ['actor', 'campaign', 'family', 'implant', 'exploit', 'network', 'category'] as const;

/** Returns the verdict of a score with its opinion, which not every verdict has. */
export function verdictOf(score: number, verdicts: Verdicts) {
  if (score >= verdicts.malicious) return { name: 'malicious', opinion: 'malicious', confidence: 0.9 } as const;
  if (score >= verdicts.highly_suspicious) {
    return { name: 'highly suspicious', opinion: 'suspicious', confidence: 0.8 } as const;
  }
  if (score >= verdicts.suspicious) return { name: 'suspicious', opinion: 'suspicious', confidence: 0.5 } as const;
  if (score >= verdicts.info) return { name: 'informative' } as const;
  return { name: 'safe', opinion: 'benign', confidence: 0.8 } as const;
}

/** Returns the score of a file, the sum of the latest results; undefined when it has none. */
function scoreOf({ scores }: KnownFile): number | undefined {
  if (scores.size === 0) return undefined;
  return scores.values().reduce((sum, one) => sum + one, 0);
}

/** Returns the entry of a file that was analysed. */
export function fileEntry(file: KnownFile, context: EntryContext): object {
  const { document, sha256, scores } = file;
  const score = scoreOf(file);
  const verdict = score === undefined ? undefined : verdictOf(score, context.verdicts);
  const type = textAt(document, 'type') ?? 'unknown';
  const last = textAt(document, 'seen.last');
  const timed = last === undefined ? {} : { timestamp: last };
  const [seen] = valuesAt(document, ['seen', 'count']);
  const annotations: object[] = [];
  if (score !== undefined && verdict !== undefined) {
    const summary = `Verdict ${verdict.name} with a score of ${score}`;
    if (verdict.opinion !== undefined) {
      const { opinion: value, confidence } = verdict;
      const severity = value === 'benign' ? {} : { severity: Math.min(1, score / context.verdicts.malicious) };
      annotations.push({ ...timed, type: 'opinion', value, confidence, ...severity, summary });
    }
    annotations.push({ ...timed, type: 'context', value: `${verdict.name} (${score})`, confidence: 1, summary });
  }
  const described = `File of type ${type}, seen ${counted(Number(seen ?? 1), 'time')}`;
  annotations.push({ ...timed, type: 'context', value: type, confidence: 1, summary: described });
  for (const [service, points] of highest(scores)) {
    if (points === 0) continue;
    const summary = `The service ${service} gave a score of ${points}`;
    annotations.push({ ...timed, type: 'context', value: `${service}: ${points}`, confidence: 1, summary });
  }
  const raw = { sha256, type, score: score ?? null, verdict: verdict?.name ?? null };
  const rawData = { ...raw, services: Object.fromEntries(scores), file: document };
  return entry(context, { count: 1, link: context.links.file(sha256), annotations, rawData }, file.classifications);
}

/** Returns the entry of a value that results tag. */
export function taggedEntry(tagged: TaggedResults, query: string, context: EntryContext): object {
  const { count, files, services, heuristics } = tagged;
  const summary = `Tagged in ${counted(count, 'result')} of ${counted(files.size, 'file')}; highest score ${tagged.highest}`;
  const annotations: object[] = [{ type: 'frequency', value: count, quantity: count, confidence: 1, summary }];
  for (const [name, quantity] of highest(services)) {
    const about = `Found by the service ${name} in ${counted(quantity, 'result')}`;
    annotations.push({ type: 'context', value: name, quantity, confidence: 1, summary: about });
  }
  for (const [name, quantity] of highest(heuristics)) {
    const about = `In ${counted(quantity, 'result')} of the heuristic ${name}`;
    annotations.push({ type: 'context', value: name, quantity, confidence: 1, summary: about });
  }
  const rawData = {
    ...{ results: count, files: [...files], highest_score: tagged.highest },
    ...{ services: Object.fromEntries(services), heuristics: Object.fromEntries(heuristics) },
  };
  return entry(context, { count, link: context.links.results(query), annotations, rawData }, tagged.classifications);
}

const LIST_OPINIONS = {
  badlist: { value: 'malicious', name: 'bad list', severity: 1 },
  safelist: { value: 'benign', name: 'safe list', severity: undefined },
};

/** Returns the entry of a value on the bad list or the safe list. */
export function listedEntry(list: ListName, document: unknown, context: EntryContext): object {
  const { value, name, severity } = LIST_OPINIONS[list];
  const reasons = valuesAt(document, ['sources', 'reason']).map(String);
  const sources = [...new Set(valuesAt(document, ['sources', 'name']).map(String))].slice(0, MAX_LISTED);
  const because = reasons.length === 0 ? '' : `: ${reasons.slice(0, MAX_LISTED).join('; ')}`;
  const summary = `On the ${name} by ${sources.join(', ')}${because}`;
  const opinion = { type: 'opinion', value, confidence: 0.9, summary };
  const annotations: object[] = [severity === undefined ? opinion : { ...opinion, severity }];
  for (const kind of ATTRIBUTIONS) {
    for (const attributed of valuesAt(document, ['attribution', kind]).slice(0, MAX_LISTED)) {
      const about = `Attributed to the ${kind} ${attributed}`;
      annotations.push({ type: 'context', value: String(attributed), confidence: 0.9, summary: about });
    }
  }
  const id = textAt(document, 'id') ?? '';
  const link = context.links.listed(list, id);
  const classification = textAt(document, 'classification') ?? '';
  return entry(context, { count: 1, link, annotations, rawData: document }, [classification]);
}

interface Found {
  readonly count: number;
  readonly link: string | undefined;
  readonly annotations: readonly object[];
  readonly rawData: unknown;
}

function entry(context: EntryContext, found: Found, classifications: Iterable<string>): object {
  const { noAnnotation, includeRaw } = context.flags;
  const { count, link, annotations, rawData } = found;
  return {
    classification: highestClassification(classifications, context),
    count,
    ...(link === undefined ? {} : { link }),
    annotations: noAnnotation ? [] : annotations.map((one) => ({ analytic: ANALYTIC, ...one })),
    ...(includeRaw ? { raw_data: rawData } : {}),
  };
}

function highest(counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  return [...counts]
    .filter(([name]) => name !== '')
    .sort(([, left], [, right]) => right - left)
    .slice(0, MAX_LISTED);
}

function counted(count: number, thing: string): string {
  return `${count} ${count === 1 ? thing : `${thing}s`}`;
}
