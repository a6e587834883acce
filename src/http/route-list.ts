import type { FastifySchema } from 'fastify';
import type { BodyReading, RouteAccess } from './route-access.ts';

/** A route as it was registered. */
export interface ListedRoute {
  readonly method: string;
  /** As Fastify knows it, `/api/v1/hit/:id`. */
  readonly url: string;
  /** As the public system writes it, `/api/v1/hit/<id>`. */
  readonly path: string;
  readonly access: RouteAccess;
  readonly body: BodyReading;
  /** Whether the answer is inside the service's envelope. */
  readonly enveloped: boolean;
  readonly summary: string;
  readonly description: string;
  /** Resource that it belongs to. */
  readonly tag: string;
  /** Identifier of the operation, unique in the service. */
  readonly operation: string;
  readonly schema: FastifySchema;
}

/** Every route of a service, in the order of registration. HEAD and OPTIONS, which every route has, are not listed. */
export class RouteList {
  readonly #routes: ListedRoute[] = [];
  readonly #patterns: { readonly segments: readonly string[]; readonly slash: boolean; readonly method: string }[] = [];

  add(route: ListedRoute): void {
    this.#routes.push(route);
    this.#patterns.push({ segments: segmentsOf(route.url), slash: route.url.endsWith('/'), method: route.method });
  }

  get all(): readonly ListedRoute[] {
    return this.#routes;
  }

  /**
   * Methods that `path` answers, HEAD and OPTIONS left out; empty when there is no such path. The final slash is `ignored`, or what
   * is declared with it counts only with it (`roots`: a collection's root in the public alert service), or the path has to be as
   * it is declared (`exact`).
   */
  methodsOf(path: string, finalSlash: 'ignored' | 'roots' | 'exact' = 'ignored'): readonly string[] {
    const segments = segmentsOf(path);
    const withSlash = path.endsWith('/');
    const methods = new Set<string>();
    for (const pattern of this.#patterns) {
      if (finalSlash !== 'ignored' && pattern.slash && !withSlash) continue;
      if (finalSlash === 'exact' && !pattern.slash && withSlash && pattern.segments.at(-1) !== '*') continue;
      if (matches(pattern.segments, segments)) methods.add(pattern.method);
    }
    return [...methods];
  }
}

function segmentsOf(path: string): string[] {
  const segments = path.split('/');
  segments.shift();
  if (segments.at(-1) === '') segments.pop();
  return segments;
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.at(-1) === '*') {
    return (
      segments.length >= pattern.length && pattern.slice(0, -1).every((part, index) => fits(part, segments[index]))
    );
  }
  return pattern.length === segments.length && pattern.every((part, index) => fits(part, segments[index]));
}

function fits(part: string, segment: string | undefined): boolean {
  return part.startsWith(':') ? segment !== undefined && segment !== '' : part === segment;
}

/** `/api/v1/view/:viewId` → `/api/v1/view/<view_id>`; a final `*` is `<path:wildcard>`. */
export function publicPath(url: string, wildcard = 'path'): string {
  const named = url.replaceAll(/:([A-Za-z0-9_]+)/g, (_, name: string) => `<${snakeCase(name)}>`);
  return named.replace(/\*$/, `<path:${wildcard}>`);
}

/** `viewId` → `view_id` */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns the versions of the interface that have routes, sorted: `['v1', 'v2']`. */
export function versionsOf(routes: readonly ListedRoute[]): string[] {
  const versions = routes.flatMap(({ path }) => /^\/api\/(v\d+)(?:\/|$)/.exec(path)?.[1] ?? []);
  return [...new Set(versions)].sort();
}
