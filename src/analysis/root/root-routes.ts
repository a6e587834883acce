import { Type } from 'typebox';
import { versionsOf } from '../../http/api-versions.ts';
import { holdsAny } from '../../http/guard.ts';
import type { RouteAccess, RouteModule } from '../../http/route-access.ts';
import type { ListedRoute, RouteList } from '../../http/route-list.ts';
import type { Actor } from '../../identity/actor.ts';
import { presence } from '../../input/input-kinds.ts';
import { API_SECTIONS } from './api-sections.ts';

export interface RootRouteDependencies {
  /** Of the service itself; read at each request, so that it is complete. */
  readonly routes: RouteList;
  /** Whether audit lines are written at all. */
  readonly audit: boolean;
  /** Whether the service is read-only; then routes that are blocked are not shown. */
  readonly readOnly: boolean;
}

const ANYONE: RouteAccess = { privileges: 'by_roles', roles: 'any', quota: 'concurrent' };
const ADMINISTRATOR: RouteAccess = { privileges: 'by_roles', roles: ['administration'], quota: 'concurrent' };

const SiteMapQuery = Type.Object({
  unsafe_only: presence({ description: 'Present: only the routes that anybody may call.' }),
});

const REFERENCE = '/api/v4/';

/** What the interface consists of, told by the list of its own routes (contract/analysis.md section 10.3). */
export const rootRoutes =
  ({ routes, audit, readOnly }: RootRouteDependencies): RouteModule =>
  (app) => {
    // At the first request every route is there.
    let versions: readonly string[] | undefined;
    const served = () =>
      routes.all.filter(({ access }) => !readOnly || access === 'public' || access.readOnly !== false);

    app.get(
      '/api/',
      {
        access: ANYONE,
        schema: { operationId: 'api_api_version_list', tags: ['api'], summary: 'Versions of the interface' },
      },
      async () => {
        versions ??= versionsOf(routes.all);
        return versions;
      },
    );

    app.get(
      '/api/site_map/',
      {
        access: ADMINISTRATOR,
        schema: {
          operationId: 'api_site_map',
          tags: ['api'],
          summary: 'Every route and who may call it',
          querystring: SiteMapQuery,
        },
      },
      async ({ query }) => {
        return served()
          .filter((route) => !query.unsafe_only || route.access === 'public')
          .map((route) => siteMapEntry(route, audit))
          .sort((left, right) => (left.url < right.url ? -1 : left.url > right.url ? 1 : 0));
      },
    );

    app.get(
      REFERENCE,
      {
        access: ANYONE,
        schema: {
          operationId: 'get_api_documentation',
          tags: ['documentation'],
          summary: 'Routes that the caller may use',
        },
      },
      async (request) => describeVersion(served(), request.actor),
    );
  };

function siteMapEntry(route: ListedRoute, audit: boolean) {
  const { access } = route;
  return {
    ...guardOf(route),
    audit: audit && access !== 'public' && access.audit === true,
    function: functionOf(route),
    methods: [route.method],
    required_type: rolesOf(route),
    url: route.path,
  };
}

function describeVersion(routes: readonly ListedRoute[], actor: Actor) {
  const mine = routes.filter((route) => route.path.startsWith(REFERENCE) && mayUse(route, actor));
  const apis = mine.map((route) => ({
    ...guardOf(route),
    complete: true,
    description: route.description,
    function: functionOf(route),
    id: route.operation,
    methods: [route.method],
    name: nameOf(route),
    path: route.path,
    require_role: rolesOf(route),
    ui_only: route.path.startsWith(`${REFERENCE}ui/`),
  }));
  const sections = new Set(mine.map(({ tag }) => tag));
  return { apis, blueprints: Object.fromEntries([...sections].map((tag) => [tag, API_SECTIONS[tag] ?? ''])) };
}

function guardOf({ access }: ListedRoute) {
  return {
    count_towards_quota: access !== 'public' && (access.quota ?? true) === true,
    protected: access !== 'public',
  };
}

function rolesOf({ access }: ListedRoute): readonly string[] {
  return access === 'public' || access.roles === 'any' ? [] : access.roles;
}

function mayUse({ access }: ListedRoute, actor: Actor): boolean {
  return access === 'public' || access.roles === 'any' || holdsAny(access.roles, actor.roles);
}

/** Name of the operation without the resource that it begins with. */
function wordsOf({ operation, tag }: ListedRoute): string {
  return operation.startsWith(`${tag}_`) ? operation.slice(tag.length + 1) : operation;
}

/** As the public interface calls it, `api.v4.help.get_terms_of_service`. */
function functionOf(route: ListedRoute): string {
  const version = route.path.startsWith(REFERENCE) ? 'api.v4.' : '';
  return `${version}${route.path === REFERENCE ? 'apiv4' : route.tag}.${wordsOf(route)}`;
}

function nameOf(route: ListedRoute): string {
  return wordsOf(route)
    .split('_')
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join(' ');
}
