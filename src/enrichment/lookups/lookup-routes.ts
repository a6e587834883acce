import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { ClassificationEngine } from '../../classification/classification.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import { credentialOf } from '../../http/request-state.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { reading } from '../../input/input-kinds.ts';
import { ANY_CALLER } from '../any-caller.ts';
import type { SelectorContext } from '../models/selector.ts';
import type { CallContext } from '../sources/call-context.ts';
import { deadlineOf, flagsOf, type LookupArguments, LookupQuery } from './lookup-query.ts';
import { readPathSelector, readSelectors } from './lookup-selectors.ts';
import type { LookupService } from './lookup-service.ts';
import { NDJSON, resultLines, wantsLines } from './result-lines.ts';

export interface LookupRouteDependencies {
  readonly lookups: LookupService;
  readonly engine: ClassificationEngine;
  /** Returns why a value is not of its type: the expressions of types of extensions. Default: no rule. */
  readonly refuseValue?: SelectorContext['refuseValue'];
}

const SelectorList = reading(
  Type.Unsafe<unknown>(
    Type.Array(
      Type.Object({
        type: Type.String({ description: 'Type of the value; `ip` stands for `ipv4` and `ipv6`.' }),
        value: Type.String({ description: 'At most 4,096 bytes, 262,144 for the type `telemetry`.' }),
        classification: Type.Optional(Type.String({ description: 'Default: that of the query.' })),
        sources: Type.Optional(Type.Array(Type.String(), { description: 'Default: those of the query.' })),
      }),
      {
        minItems: 1,
        maxItems: 5000,
        examples: [
          [
            { type: 'ip', value: '192.0.2.7' },
            { type: 'domain', value: 'example.org' },
          ],
        ],
      },
    ),
  ),
  { unchecked: true },
);

const Result = Type.Object(
  {
    type: Type.String(),
    value: Type.String(),
    source: Type.String(),
    error: Type.Optional(Type.String({ description: 'Why the source has no answer.' })),
    items: Type.Array(Type.Unknown(), { description: 'Entries with annotations, as far as the caller may see them.' }),
    latency: Type.Number({ description: 'Milliseconds that the source took.' }),
  },
  { additionalProperties: true },
);
const ResultsBySource = Type.Record(Type.String(), Result, { description: 'Results by source.' });
const ResultsByType = Type.Record(Type.String(), Type.Record(Type.String(), ResultsBySource), {
  description: 'Results by type, value and source. Every value that was asked for is there.',
});

const ValueParams = pathParameters({
  type_name: ['Type of the value.', 'domain'],
  value: ['Value, percent-encoded twice.', 'example.org'],
});

/** Serves lookups of many values and of one, `/api/v1/lookup/enrich` and `/enrich/`. */
export const lookupRoutes =
  (dependencies: LookupRouteDependencies): RouteModule =>
  (app) => {
    const { lookups, engine, refuseValue } = dependencies;
    const selectorContext = ({ classification, sources }: LookupArguments): SelectorContext => {
      assertClassification(engine, classification);
      return { engine, classification, sources: sources ?? null, refuseValue };
    };

    for (const [path, operationId] of BULK_PATHS) {
      app.post(
        path,
        {
          access: { ...ANY_CALLER, audit: true },
          schema: {
            tags: ['lookup'],
            summary: 'Look up values',
            description:
              'Asks every source at once. `Accept: application/x-ndjson` gives a line `{type, value, source, result}` as each result is there, and `{done, sources}` at the end.',
            operationId,
            querystring: LookupQuery,
            body: SelectorList,
            response: { 200: ResultsByType },
          },
        },
        async (request, reply) => {
          const { query, body, headers } = request;
          const selectors = readSelectors(body, selectorContext(query));
          const question = { selectors, sources: query.sources ?? null, flags: flagsOf(query) };
          const context = callContext(request, reply, query);
          if (!wantsLines(headers.accept)) return lookups.lookup(question, context);
          const lines = resultLines(lookups.ask(question, context));
          return reply.header('content-type', NDJSON).send(Readable.from(lines));
        },
      );
    }

    app.get(
      '/api/v1/lookup/enrich/:type_name/:value/',
      {
        access: { ...ANY_CALLER, audit: true },
        schema: {
          tags: ['lookup'],
          summary: 'Look up one value',
          description: 'Sources that do not offer the type are left out.',
          params: ValueParams,
          querystring: LookupQuery,
          response: { 200: ResultsBySource },
        },
      },
      async (request, reply) => {
        const { params, query, path } = request;
        const { selector, writtenValue } = readPathSelector(
          { type: params.type_name, value: params.value, path },
          selectorContext(query),
        );
        const question = { selectors: [selector] as const, sources: query.sources ?? null, flags: flagsOf(query) };
        const results = await lookups.lookupOne(question, callContext(request, reply, query));
        return Object.fromEntries(
          Object.entries(results).map(([source, result]) => [source, { ...result, value: writtenValue }]),
        );
      },
    );
  };

const BULK_PATHS = [
  ['/api/v1/lookup/enrich', 'post_api_v1_lookup_enrich'],
  ['/enrich/', 'post_enrich'],
] as const;

/** Returns the context of a call, whose signal aborts when the caller closes the connection. */
function callContext(request: FastifyRequest, reply: FastifyReply, query: LookupArguments): CallContext {
  const gone = new AbortController();
  // It closes after each answer too, when there is nothing left to end.
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return {
    actor: request.actor,
    credential: credentialOf(request),
    deadline: deadlineOf(query, Date.now()),
    signal: gone.signal,
  };
}

/** @throws InvalidInput `invalid_classification` */
function assertClassification(engine: ClassificationEngine, classification: string | undefined): void {
  if (classification === undefined) return;
  try {
    engine.normalise(classification);
  } catch (cause) {
    const message = `The argument classification must be a valid classification, not "${classification.slice(0, 100)}".`;
    throw new InvalidInput('invalid_classification', message, { at: 'classification', cause });
  }
}
