import type { ClassificationEngine } from '../../../classification/classification.ts';
import type { LookupFlags } from '../../sources/source-client.ts';
import { markdownText } from '../values/markdown-text.ts';
import { highestClassification } from '../values/value-answers.ts';
import type { AlertLinks } from './alert-links.ts';
import type { HoldingRecords } from './alert-searches.ts';
import type { AlertTally } from './alert-tally.ts';

export interface EntryContext {
  readonly engine: ClassificationEngine;
  /** The caller's own, who sees every alert that was counted. */
  readonly clearance: string;
  readonly flags: LookupFlags;
  readonly links: AlertLinks;
  readonly query: string;
}

/** Assessments by which alerts prove a value malicious, and those by which they are no attacks. */
const ATTACKS: ReadonlySet<string> = new Set(['recon', 'attempt', 'compromise', 'mitigated']);
const HARMLESS: ReadonlySet<string> = new Set(['security', 'development', 'false-positive', 'legitimate', 'trivial']);
/** Annotations of one kind. */
const MAX_LISTED = 5;
const ANALYTIC = 'alerts';

/** Returns the entry of a value that alerts or cases hold, in the protocol of plugins. */
export function alertEntry({ alerts, cases }: HoldingRecords, context: EntryContext): Record<string, unknown> {
  const { flags, links, query } = context;
  const entry: Record<string, unknown> = {
    classification: highestClassification(
      [...alerts.classifications, ...cases.flatMap(({ classification }) => classification ?? [])],
      context,
    ),
    count: alerts.count,
    annotations: flags.noAnnotation ? [] : annotationsOf({ alerts, cases }, links),
  };
  const link = links.search(query);
  if (link !== undefined) entry.link = link;
  if (flags.includeRaw) {
    entry.raw_data = {
      count: alerts.count,
      first_seen: alerts.first || null,
      last_seen: alerts.last || null,
      status: Object.fromEntries(alerts.statuses),
      assessment: Object.fromEntries(alerts.assessments),
      analytic: Object.fromEntries(alerts.analytics),
      newest: alerts.newest,
      cases,
    };
  }
  return entry;
}

function annotationsOf({ alerts, cases }: HoldingRecords, links: AlertLinks): readonly object[] {
  const timed = alerts.last === '' ? {} : { timestamp: alerts.last };
  const common = { analytic: ANALYTIC, confidence: 1, ...timed };
  const annotations: object[] = [];
  if (alerts.count > 0) {
    annotations.push({ ...common, ...frequencyOf(alerts, links) });
    const opinion = opinionOf(alerts);
    if (opinion !== undefined) annotations.push({ ...common, ...opinion });
  }
  for (const [value, quantity] of mostFrequent(alerts.assessments)) {
    const summary = `${alertsOf(quantity)} assessed as ${value}`;
    annotations.push({ ...common, type: 'assessment', value, quantity, summary });
  }
  for (const [name, quantity] of mostFrequent(alerts.analytics)) {
    const summary = `${alertsOf(quantity)} of the analytic ${name}`;
    annotations.push({ ...common, type: 'context', value: name, quantity, summary, icon: 'material-symbols:radar' });
  }
  for (const { id, title, status } of cases.slice(0, MAX_LISTED)) {
    const link = links.case(id);
    const linked = link === undefined ? {} : { link };
    const summary = `In the case ${title} (${status})`;
    annotations.push({ ...common, type: 'context', value: title || id, summary, icon: CASE_ICON, ...linked });
  }
  return annotations;
}

const CASE_ICON = 'material-symbols:cases-outline';

function frequencyOf(alerts: AlertTally, links: AlertLinks): object {
  const { count, first, last, statuses, newest } = alerts;
  const states = [...statuses].map(([status, number]) => `${number} ${status}`).join(', ');
  const seen = count === 1 ? `seen ${day(last)}` : `first seen ${day(first)}, last seen ${day(last)}`;
  const lines = newest.map(({ id, analytic, status, assessment }) => {
    const link = links.alert(id);
    const name = link === undefined ? markdownText(id) : `[${markdownText(id)}](${link})`;
    return `- ${name} ${markdownText([analytic, status, assessment ?? ''].filter((text) => text !== '').join(', '))}`;
  });
  const title = count > newest.length ? `The newest ${newest.length}:` : 'The alerts:';
  return {
    type: 'frequency',
    value: count,
    quantity: count,
    summary: `In ${alertsOf(count)}, ${seen}; ${states}`,
    details: [title, '', ...lines].join('\n'),
  };
}

/** Returns the opinion of the assessed alerts; undefined when they do not agree, or there are none. */
function opinionOf({ assessments }: AlertTally): object | undefined {
  const entries = [...assessments];
  const numberOf = (kinds: ReadonlySet<string>) =>
    entries.reduce((sum, [assessment, count]) => (kinds.has(assessment) ? sum + count : sum), 0);
  const assessed = entries.reduce((sum, [, count]) => sum + count, 0);
  const attacks = numberOf(ATTACKS);
  const harmless = numberOf(HARMLESS);
  // The confidence stays below 1 and grows with the number of alerts.
  const confidence = (count: number) => Math.round((100 * count) / (assessed + 1)) / 100;
  const about = `of ${assessed} assessed ${assessed === 1 ? 'alert' : 'alerts'}`;
  if (attacks > 0) {
    const severity = assessments.has('compromise') ? 1 : 0.7;
    const summary = `${attacks} ${about} ${attacks === 1 ? 'was an attack' : 'were attacks'}`;
    return {
      type: 'opinion',
      value: 'malicious',
      confidence: confidence(attacks),
      severity,
      quantity: attacks,
      summary,
    };
  }
  if (harmless === 0 || harmless < assessed) return undefined;
  const summary = `${harmless} ${about} ${harmless === 1 ? 'was no attack' : 'were no attacks'}`;
  return { type: 'opinion', value: 'benign', confidence: confidence(harmless), quantity: harmless, summary };
}

function mostFrequent(counts: ReadonlyMap<string, number>): readonly (readonly [string, number])[] {
  return [...counts]
    .filter(([name]) => name !== '')
    .sort(([, left], [, right]) => right - left)
    .slice(0, MAX_LISTED);
}

function alertsOf(count: number): string {
  return count === 1 ? '1 alert' : `${count} alerts`;
}

function day(time: string): string {
  return time.slice(0, 10);
}
