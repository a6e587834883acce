import type { ClassificationEngine } from '../../../classification/classification.ts';
import type { Config } from '../../../config/config.ts';
import type { InProcessSource } from '../../sources/in-process/in-process-source-client.ts';
import type { OwnSource } from '../../sources/own-source.ts';
import { SERVICE_CONCURRENCY, ServiceClient, type ServiceClientDependencies } from '../../sources/service-client.ts';
import type { LookupFlags, SourceCall, SourceSelector } from '../../sources/source-client.ts';
import { luceneQuery } from '../values/sought-value.ts';
import { TimelyParts } from '../values/timely-parts.ts';
import { NO_TIME, ValueAnswers } from '../values/value-answers.ts';
import { type AlertLinks, alertEntry } from './alert-entry.ts';
import { ALERT_TYPES, fieldsOfType } from './alert-fields.ts';
import { AlertSearches } from './alert-searches.ts';

/** Characters of a link; longer ones are refused on their way. */
const MAX_LINK = 4_000;

interface AlertsSourceDependencies {
  readonly settings: Pick<Config, 'alerts' | 'enrichment'>;
  readonly engine: ClassificationEngine;
  readonly addressOf: ServiceClientDependencies['addressOf'];
}

/** Opens the source `alerts`: what alerts and cases hold of the values that are looked up. */
export function openAlertsSource({ settings, engine, addressOf }: AlertsSourceDependencies): OwnSource {
  const { url, obo_target: oboTarget } = settings.enrichment.alerts;
  const client = new ServiceClient({ service: 'alerts', url: url ?? '', oboTarget, addressOf });
  const searches = new AlertSearches(client);
  const pages = url || (settings.alerts.public_url ?? undefined);
  const types = Object.fromEntries(ALERT_TYPES.map((type) => [type, engine.unrestricted]));

  async function lookup(selectors: readonly SourceSelector[], flags: LookupFlags, call: SourceCall) {
    const answers = new ValueAnswers();
    const sought = answers.sought(selectors, fieldsOfType, searches.limits);
    const clearance = call.caller.classification;
    const parts = new TimelyParts(searches.limits, call);
    const links = linksTo(pages, client.address);
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

/**
 * @param pages address of the web interface; undefined: links lead to the routes of the service
 * @param service address of the service; undefined before it listens
 */
function linksTo(pages: string | undefined, service: string | undefined): AlertLinks {
  const below = (base: string | undefined) => (path: string) => (base === undefined ? undefined : `${base}${path}`);
  const page = below(pages?.replace(/\/+$/, ''));
  const route = below(service);
  return {
    search(query) {
      const asked = encodeURIComponent(query);
      const link = page(`/search?span=date.range.all&query=${asked}`) ?? route(`/api/v1/search/hit?query=${asked}`);
      return link === undefined || link.length > MAX_LINK ? undefined : link;
    },
    alert: (id) => page(`/hits/${encodeURIComponent(id)}`) ?? route(`/api/v1/hit/${encodeURIComponent(id)}`),
    case: (id) => page(`/cases/${encodeURIComponent(id)}`) ?? route(`/api/v2/case/${encodeURIComponent(id)}`),
  };
}
