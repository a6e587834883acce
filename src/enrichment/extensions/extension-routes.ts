import type { FastifyRequest } from 'fastify';
import type { Envelope } from '../../http/answers/envelope.ts';
import { isBodiless } from '../../http/answers/envelope.ts';
import { JSON_TYPE } from '../../http/answers/failure-answers.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import { readBody } from '../../http/input/request-body.ts';
import type { RouteModule } from '../../http/route-access.ts';
import type { RouteList } from '../../http/route-list.ts';
import type { Actor } from '../../identity/actor.ts';
import { ANY_CALLER } from '../any-caller.ts';
import type { Extensions } from './extensions.ts';
import type { RouteAnswer } from './thread/messages.ts';

/** Headers that no extension gets: they hold credentials. */
const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization', 'x-apikey']);

/** The arguments of a route of an extension: text by name. */
interface RouteArguments {
  Params: Record<string, string>;
  Querystring: Record<string, string>;
}

/** Serves `/api/v1/<sub-API>/…`: routes of extensions. Registered last: it reads the names of others. */
export const extensionRoutes =
  ({
    extensions,
    routes,
    envelope,
  }: {
    readonly extensions: Extensions;
    readonly routes: RouteList;
    readonly envelope: Envelope;
  }): RouteModule =>
  (app) => {
    const reserved = new Set(routes.all.flatMap(({ path }) => /^\/api\/v1\/([^/<]+)/.exec(path)?.[1] ?? []));
    for (const { extension, group, number } of extensions.groups(reserved)) {
      for (const [index, route] of group.routes.entries()) {
        const { method, wildcard, parameters, requiresLogin, summary, description } = route;
        const url = `/api/v1/${group.name}${route.path}`;
        const described = parameters.map((name) => [name, ['Part of the path.', 'example']] as const);
        const hasBody = method !== 'GET' && method !== 'DELETE';
        app.route<RouteArguments>({
          method,
          url,
          access: requiresLogin ? ANY_CALLER : 'public',
          envelope: false,
          body: hasBody ? 'text' : 'ignored',
          ...(wildcard === undefined ? {} : { wildcard }),
          schema: {
            tags: [group.name],
            summary,
            description,
            params: pathParameters(
              Object.fromEntries([
                ...described,
                ...(wildcard === undefined ? [] : [['*', ['Rest of the path.', 'a/b']]]),
              ]),
            ),
          },
          handler: async (request, reply) => {
            const { '*': rest, ...params } = request.params;
            const answer = await extension.answer(
              {
                group: number,
                route: index,
                method,
                path: request.path,
                params: wildcard === undefined ? params : { ...params, [wildcard]: rest ?? '' },
                query: request.query,
                headers: Object.fromEntries(Object.entries(request.headers).filter(([name]) => !CREDENTIALS.has(name))),
                body: hasBody ? bodyOf(request) : undefined,
                user: requiresLogin ? userOf(request.actor) : null,
              },
              url,
            );
            reply.code(answer.status);
            if (isBodiless(answer.status)) return reply.send();
            return reply.header('content-type', JSON_TYPE).send(textOf(answer, envelope));
          },
        });
      }
    }
  };

/** Returns JSON of a JSON request, the characters of any other. */
function bodyOf({ body, headers }: FastifyRequest): unknown {
  const type = headers['content-type'];
  if (typeof body !== 'string' || body === '') return undefined;
  return /^application\/(?:[\w.+-]+\+)?json\b/i.test(type ?? '') ? readBody('json', type, Buffer.from(body)) : body;
}

function userOf({ username, name, email, classification, roles, groups }: Actor) {
  return { uname: username, name, email: email ?? null, classification, type: [...roles], groups: [...groups] };
}

function textOf({ status, json, envelope: inside }: RouteAnswer, envelope: Envelope): string {
  if (inside === undefined) return json;
  const response: unknown = JSON.parse(json);
  const { message, warnings } = inside;
  if (message === '') return envelope.success(response, status, warnings);
  const failure = { status, code: 'extension', message, warnings, response: response ?? undefined };
  return envelope.failure(failure);
}
