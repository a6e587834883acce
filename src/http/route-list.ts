import type { FastifySchema } from 'fastify';
import type { BodyReading, RouteAccess } from './route-access.ts';

/** A route as it was registered. */
export interface ListedRoute {
  readonly method: string;
  /** Path of Fastify, `/api/v1/hit/:id`. */
  readonly url: string;
  /** Path of the public system, `/api/v1/hit/<id>`. */
  readonly path: string;
  readonly access: RouteAccess;
  readonly body: BodyReading;
  /** True if the answer is inside the envelope of the service. */
  readonly enveloped: boolean;
  readonly summary: string;
  readonly description: string;
  /** Resource that it belongs to. */
  readonly tag: string;
  /** Identifier of the operation, unique in the service. */
  readonly operation: string;
  readonly schema: FastifySchema;
}

/** Lists the routes of a service in the order of registration, without HEAD and OPTIONS. */
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
   * Returns the methods of a path without HEAD and OPTIONS; none if there is no such path. The final
   * slash is `ignored`, required where it is declared (`roots`: collections of the public alert service), or has to be
   * as declared (`exact`).
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
