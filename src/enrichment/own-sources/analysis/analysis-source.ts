import type { ClassificationEngine } from '../../../classification/classification.ts';
import type { Config } from '../../../config/config.ts';
import { isObject } from '../../../json/json-object.ts';
import type { InProcessOperation } from '../../sources/in-process/in-process-source-client.ts';
import type { OwnSource } from '../../sources/own-source.ts';
import { SERVICE_CONCURRENCY, ServiceClient, type ServiceClientDependencies } from '../../sources/service-client.ts';
import type { LookupFlags, SourceCall, SourceSelector } from '../../sources/source-client.ts';
import { textAt } from '../values/held-values.ts';
import { linksOf } from '../values/service-links.ts';
import { luceneQuery, type SoughtValue, soughtValue } from '../values/sought-value.ts';
import { TimelyParts } from '../values/timely-parts.ts';
import { NO_TIME, ValueAnswers } from '../values/value-answers.ts';
import { type EntryContext, fileEntry, listedEntry, taggedEntry, type Verdicts } from './analysis-entries.ts';
import { ANALYSIS_TYPES, fileFields, listedFields, tagFields } from './analysis-fields.ts';
import { ANALYSIS_LINKS, type AnalysisLinks } from './analysis-links.ts';
import { fileReport } from './analysis-report.ts';
import { AnalysisSearches } from './analysis-searches.ts';
import { submitAction } from './submit-action.ts';

interface AnalysisSourceDependencies {
  readonly settings: Pick<Config, 'web' | 'analysis' | 'enrichment'>;
  readonly engine: ClassificationEngine;
  readonly addressOf: ServiceClientDependencies['addressOf'];
}

/** Opens the source `analysis`: files, results that tag values, bad list and safe list. */
export function openAnalysisSource({ settings, engine, addressOf }: AnalysisSourceDependencies): OwnSource {
  const { obo_target: oboTarget } = settings.enrichment.analysis;
  const url = settings.enrichment.analysis.url ?? '';
  const client = new ServiceClient({ service: 'analysis', url, oboTarget, addressOf });
  const searches = new AnalysisSearches(client);
  const links = linksOf({ remote: url, web: settings.web.public_url, service: () => client.address }, ANALYSIS_LINKS);
  const { verdicts } = settings.analysis.submission;
  const types = Object.fromEntries(ANALYSIS_TYPES.map((type) => [type, engine.unrestricted]));

  async function lookup(selectors: readonly SourceSelector[], flags: LookupFlags, call: SourceCall) {
    const answers = new ValueAnswers();
    const sought = (fieldsOf: typeof fileFields) => answers.sought(selectors, fieldsOf, searches.limits);
    const listed = sought(listedFields);
    const parts = new TimelyParts(searches.limits, call);
    const [files, tagged, bad, safe] = await Promise.all([
      searches.files(sought(fileFields), parts, call),
      searches.tagged(sought(tagFields), parts, call),
      searches.listed('badlist', listed, parts, call),
      searches.listed('safelist', listed, parts, call),
    ]);
    const context: EntryContext = { engine, clearance: call.caller.classification, flags, links, verdicts };
    const items = new Map<SoughtValue['selector'], { readonly of: SoughtValue; readonly entries: object[] }>();
    const add = (one: SoughtValue, entries: readonly object[]) => {
      const known = items.get(one.selector) ?? { of: one, entries: [] };
      items.set(one.selector, known);
      known.entries.push(...entries);
    };
    for (const [one, file] of files) add(one, [fileEntry(file, context)]);
    for (const [one, results] of tagged) add(one, [taggedEntry(results, luceneQuery(one.places), context)]);
    for (const [one, found] of bad)
      add(
        one,
        found.map((entry) => listedEntry('badlist', entry, context)),
      );
    for (const [one, found] of safe)
      add(
        one,
        found.map((entry) => listedEntry('safelist', entry, context)),
      );
    for (const { of, entries } of items.values()) answers.add(of, entries.slice(0, Math.max(0, flags.limit)));
    answers.fail(parts.left, NO_TIME);
    return answers.all;
  }

  const report = reportFetcher({ client, searches, links, verdicts, classification: engine.unrestricted });
  return {
    name: 'analysis',
    reach: 'local',
    source: {
      types: () => types,
      lookup,
      fetchers: { report },
      actions: { submit: submitAction(client, links, engine.unrestricted) },
    },
    settings: { oboTarget, concurrency: SERVICE_CONCURRENCY },
    close: () => client.close(),
  };
}

interface ReportDependencies {
  readonly client: ServiceClient;
  readonly searches: AnalysisSearches;
  readonly links: AnalysisLinks;
  readonly verdicts: Verdicts;
  readonly classification: string;
}

function reportFetcher(dependencies: ReportDependencies): InProcessOperation {
  const { client, searches, links, verdicts, classification } = dependencies;
  const definition = {
    id: 'report',
    classification,
    description: 'Report of the analysis of a file, or of the URL that was submitted.',
    format: 'markdown',
    supported_types: ['md5', 'sha1', 'sha256', 'url'],
  };
  async function run(input: unknown, call: SourceCall) {
    const selector = { type: textAt(input, 'type') ?? '', value: textAt(input, 'value') ?? '' };
    const sought = soughtValue(selector, fileFields(selector.type));
    const known =
      sought === undefined
        ? []
        : [...(await searches.files([sought], new TimelyParts(searches.limits, call), call)).values()];
    const [file] = known;
    const result = file && (await client.ask(`/api/v4/file/result/${file.sha256}/`, call));
    if (file === undefined || !isObject(result)) {
      return { outcome: 'failure', format: 'error', error: 'The analysis service knows no file of this value.' };
    }
    const link = links.file(file.sha256);
    const data = fileReport(result, verdicts);
    return { outcome: 'success', format: 'markdown', data, ...(link === undefined ? {} : { link }) };
  }
  return { definition, run };
}
