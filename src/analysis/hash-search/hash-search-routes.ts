import { Type } from 'typebox';
import { JSON_TYPE } from '../../http/answers/failure-answers.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { converted, numberOf, text } from '../../input/input-kinds.ts';
import { callerOf } from '../analysis-guard.ts';
import { answerWithoutMessage } from '../operations/analysis-envelope.ts';
import { ANYONE, Anything, EXAMPLE_IDS, operation } from '../operations/analysis-operation.ts';
import type { ExternalSources } from './external-sources.ts';
import type { HashSearchService } from './hash-search-service.ts';

export interface HashSearchRouteDependencies {
  readonly hashes: HashSearchService;
  readonly external: ExternalSources;
  /** Version of the program, in answers without a message. */
  readonly version: string;
}

const MAX_LIMIT = 10_000;
const MAX_SECONDS = 60;

/** A number of seconds; other texts count as the default, as in the public system. */
const seconds = (usual: number) =>
  converted(text({ description: `Seconds for the answer. Default ${usual}.`, default: String(usual) }), (given) => {
    const wanted = numberOf(given);
    return 1000 * (wanted === undefined || wanted <= 0 ? usual : Math.min(wanted, MAX_SECONDS));
  });
const limit = (usual: number) =>
  converted(text({ description: `Items of each source. Default ${usual}.`, default: String(usual) }), (given) => {
    const wanted = numberOf(given);
    return wanted === undefined || wanted < 1 ? usual : Math.min(Math.floor(wanted), MAX_LIMIT);
  });
const sources = (description: string) =>
  Type.Optional(converted(text({ description }), (given) => given.split('|').filter((name) => name !== '')));
const classification = Type.Optional(text({ description: 'Classification of what is looked up.' }));

const HashQuery = Type.Object({
  db: sources('Names of sources, separated by `|`. Default: those of this system.'),
  classification,
  max_timeout: seconds(3),
  limit: limit(500),
});
const EnrichQuery = Type.Object({
  sources: sources('Names of sources, separated by `|`. Default: all.'),
  classification,
  max_timeout: seconds(5),
  limit: limit(100),
});

/** Serves `/api/v4/hash_search/` and `/api/v4/federated_lookup/` (contract/analysis.md section 6). */
export const hashSearchRoutes =
  ({ hashes, external, version }: HashSearchRouteDependencies): RouteModule =>
  (app) => {
    app.get(
      '/api/v4/hash_search/list_data_sources/',
      {
        access: { ...ANYONE, roles: ['alert_view', 'submission_view'], quota: true },
        schema: operation('hash_search_list_data_sources', 'List the sources that hashes are looked up in', {
          reply: Type.Array(Type.String()),
        }),
      },
      async (request) => hashes.sources(callerOf(request)),
    );

    app.get(
      '/api/v4/hash_search/:file_hash/',
      {
        access: { ...ANYONE, roles: ['alert_view', 'submission_view', 'external_query'], quota: true, audit: true },
        schema: operation('hash_search_search_hash', 'Look a hash up in this and other systems', {
          params: pathParameters({ file_hash: ['MD5, SHA-1, SHA-256, ssdeep or TLSH.', EXAMPLE_IDS.file] }),
          querystring: HashQuery,
          reply: Anything,
          refusals: [422],
        }),
      },
      async (request, reply) => {
        const { db, classification: marking, max_timeout: timeout, limit: most } = request.query;
        const question = { hash: request.params.file_hash, sources: db, classification: marking, timeout, limit: most };
        const found = await hashes.search(callerOf(request), question);
        return reply.header('content-type', JSON_TYPE).send(answerWithoutMessage(version, found));
      },
    );

    const lookUp = { ...ANYONE, roles: ['external_query'], quota: true, audit: true } as const;
    app.get(
      '/api/v4/federated_lookup/tags/',
      {
        access: lookUp,
        schema: operation('federated_lookup_get_tag_names', 'List the tags that other systems can be asked for', {
          reply: Type.Record(Type.String(), Type.Array(Type.String())),
        }),
      },
      async (request) => {
        const actor = callerOf(request);
        const entries = external.visibleTo(actor).map(async (one) => [one.name, await external.typesOf(actor, one)]);
        return Object.fromEntries(await Promise.all(entries));
      },
    );

    app.get(
      '/api/v4/federated_lookup/enrich/:tag_name/:tag/',
      {
        access: lookUp,
        schema: operation('federated_lookup_enrich_tags', 'Look a tag up in other systems', {
          params: pathParameters({
            tag_name: ['Type of the tag.', 'network.static.ip'],
            tag: ['Value of the tag.', '192.0.2.1'],
          }),
          querystring: EnrichQuery,
          reply: Anything,
        }),
      },
      async (request) => {
        const actor = callerOf(request);
        const { tag_name: type, tag: value } = request.params;
        const { sources: names, max_timeout: timeout, limit: most, classification: marking } = request.query;
        const asked = external.visibleTo(actor).filter(({ name }) => names?.includes(name) ?? true);
        const question = { type, value, classification: marking ?? actor.classification, limit: most, timeout };
        const answers = asked.map(
          async (source) => [source.name, await external.ask(actor, source, question)] as const,
        );
        return Object.fromEntries(await Promise.all(answers));
      },
    );
  };
