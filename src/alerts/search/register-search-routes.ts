import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { Actor } from '../../identity/actor.ts';
import { READ } from '../record-access.ts';
import { SearchArguments } from './search-arguments.ts';
import { readTimeout } from './search-input.ts';
import type { SearchDeadline, SearchShares } from './search-shares.ts';

/** A search as its route hands it on. */
export interface SearchCall {
  readonly actor: Actor;
  readonly given: SearchArguments;
  /** Ends what the request started. */
  readonly deadline: SearchDeadline;
  /** Part of the path, such as `:index`. */
  parameter(name: string): string;
}

export interface SearchEndpoint {
  readonly path: string;
  readonly summary: string;
  readonly body: TSchema;
  readonly reply: TSchema;
  /** Wording of what is wrong with a search, which differs between the versions. */
  readonly wording?: (given: SearchArguments, run: () => Promise<unknown>) => Promise<unknown>;
  readonly run: (call: SearchCall) => Promise<unknown>;
}

/** Registers a search twice: as `GET` with query arguments and as `POST` with a body. */
export function registerSearch(app: FastifyInstance, shares: SearchShares, endpoint: SearchEndpoint): void {
  const { path, summary, body, reply, run, wording = (_given, work) => work() } = endpoint;
  const handler = async (request: FastifyRequest<{ Params: Readonly<Record<string, string>> }>) => {
    const given = new SearchArguments(request.method, request.query, request.body);
    const parameter = (name: string) => request.params[name] ?? '';
    return wording(given, () =>
      shares.run(request.actor.username, readTimeout(given), (deadline) =>
        run({ actor: request.actor, given, deadline, parameter }),
      ),
    );
  };
  const schema = { tags: ['search'], summary, response: { 200: reply } };
  app.get<{ Params: Readonly<Record<string, string>> }>(
    path,
    { access: READ, schema: { ...schema, querystring: body } },
    handler,
  );
  app.post<{ Params: Readonly<Record<string, string>> }>(
    path,
    { access: READ, body: 'lenient_json', schema: { ...schema, body } },
    handler,
  );
}
