import type { ClassificationEngine } from '../../../classification/classification.ts';
import type { Config } from '../../../config/config.ts';
import type { InProcessSource } from '../../sources/in-process/in-process-source-client.ts';
import type { OwnSource } from '../../sources/own-source.ts';
import { SERVICE_CONCURRENCY, ServiceClient, type ServiceClientDependencies } from '../../sources/service-client.ts';
import type { LookupFlags, SourceCall, SourceSelector } from '../../sources/source-client.ts';
import { linksOf } from '../values/service-links.ts';
import { luceneQuery } from '../values/sought-value.ts';
import { TimelyParts } from '../values/timely-parts.ts';
import { NO_TIME, ValueAnswers } from '../values/value-answers.ts';
import { alertEntry } from './alert-entry.ts';
import { ALERT_TYPES, fieldsOfType } from './alert-fields.ts';
import { ALERT_LINKS } from './alert-links.ts';
import { AlertSearches } from './alert-searches.ts';

interface AlertsSourceDependencies {
  readonly settings: Pick<Config, 'web' | 'enrichment'>;
  readonly engine: ClassificationEngine;
  readonly addressOf: ServiceClientDependencies['addressOf'];
}

/** Opens the source `alerts`: what alerts and cases hold of the values that are looked up. */
export function openAlertsSource({ settings, engine, addressOf }: AlertsSourceDependencies): OwnSource {
  const { obo_target: oboTarget } = settings.enrichment.alerts;
  const url = settings.enrichment.alerts.url ?? '';
  const client = new ServiceClient({ service: 'alerts', url, oboTarget, addressOf });
  const searches = new AlertSearches(client);
  const links = linksOf({ remote: url, web: settings.web.public_url, service: () => client.address }, ALERT_LINKS);
  const types = Object.fromEntries(ALERT_TYPES.map((type) => [type, engine.unrestricted]));

  async function lookup(selectors: readonly SourceSelector[], flags: LookupFlags, call: SourceCall) {
    const answers = new ValueAnswers();
    const sought = answers.sought(selectors, fieldsOfType, searches.limits);
    const clearance = call.caller.classification;
    const parts = new TimelyParts(searches.limits, call);
    for (const [one, records] of await searches.find(sought, parts, call)) {
      const query = luceneQuery(one.places);
      answers.add(one, [alertEntry(records, { engine, clearance, flags, links, query })]);
    }
    answers.fail(parts.left, NO_TIME);
    return answers.all;
  }

  const source: InProcessSource = { types: () => types, lookup };
  return {
    name: 'alerts',
    reach: 'local',
    source,
    settings: { oboTarget, concurrency: SERVICE_CONCURRENCY },
    close: () => client.close(),
  };
}
