import { Type } from 'typebox';
import { mayUse } from '../../http/guard.ts';
import type { RouteAccess, RouteModule } from '../../http/route-access.ts';
import { type ListedRoute, type RouteList, versionsOf } from '../../http/route-list.ts';
import type { Actor } from '../../identity/actor.ts';
import { presence } from '../../input/input-kinds.ts';

interface RootRouteDependencies {
  /** The routes of the service, read at each request, so that they are complete. */
  readonly routes: RouteList;
  /** True if audit lines are written. */
  readonly audit: boolean;
}

const ANYONE: RouteAccess = { privileges: ['R', 'W'], roles: ['admin', 'user'] };
const ADMINISTRATOR: RouteAccess = { privileges: ['E'], roles: ['admin'] };

const SiteMapQuery = Type.Object({
  unsafe_only: presence({ description: 'Present: only the public routes.' }),
});

/** Registers the routes that describe the interface, from the list of its routes. */
export const rootRoutes =
  ({ routes, audit }: RootRouteDependencies): RouteModule =>
  (app) => {
    app.get('/api/', { access: ANYONE, schema: { summary: 'Versions of the interface' } }, async () =>
      versionsOf(routes.all),
    );

    app.get(
      '/api/site_map',
      { access: ADMINISTRATOR, schema: { summary: 'Every route and who may call it', querystring: SiteMapQuery } },
      async ({ query }) =>
        routes.all
          .filter((route) => !query.unsafe_only || route.access === 'public')
          .map((route) => siteMapEntry(route, audit)),
    );

    for (const version of ['v1', 'v2'] as const) {
      app.get(
        `/api/${version}/`,
        { access: ANYONE, schema: { summary: `Routes of version ${version} that the caller may use` } },
        async (request) => describeVersion(version, routes.all, request.actor),
      );
    }
  };

/** Sections of each version of the interface, as clients show them in their help. */
const API_SECTIONS = {
  v1: {
    documentation: 'Api Documentation Version 1',
    v1_action: 'Endpoints relating to bulk actions and automation',
    v1_analytic: 'Manage the analytics that create hits',
    v1_auth: 'Allow user to authenticate to the web server',
    v1_configs: 'Read configuration data about the system',
    v1_dossier: 'Manage the different dossiers created for filtering hits',
    v1_help: 'Provide information about the system configuration',
    v1_hit: 'Manage the different hits in the system',
    v1_overview: 'Manage the different overviews created for viewing hits',
    v1_search: 'Perform search queries',
    v1_template: 'Manage the different templates created for viewing hits',
    v1_tools: 'Manage the tools',
    v1_user: 'Manage the different users of the system',
    v1_view: 'Manage the different views created for filtering hits',
  },
  v2: {
    documentation: 'Api Documentation Version 2',
    v2_case: 'Manage the different cases created',
    v2_fuzzy: 'Perform fuzzy plain-text searches across indexes',
    v2_ingest: 'Manage the different records across indexes',
    v2_search: 'Perform search queries',
    v2_task: 'Search tasks assigned to the authenticated user',
  },
} as const;

type ApiVersion = keyof typeof API_SECTIONS;

function siteMapEntry({ operation, path, method, access }: ListedRoute, audit: boolean) {
  return {
    function: operation,
    url: path,
    methods: [method, ...(method === 'GET' ? ['HEAD'] : []), 'OPTIONS'],
    protected: access !== 'public',
    required_type: access === 'public' || access.roles === 'any' ? [] : [...access.roles].sort(),
    audit: audit && access !== 'public' && access.audit === true,
    req_priv: access === 'public' ? [] : access.privileges,
  };
}

function describeVersion(version: ApiVersion, routes: readonly ListedRoute[], actor: Actor) {
  const apis = routes
    .filter((route) => route.path.startsWith(`/api/${version}/`) && mayUse(route, actor))
    .map(({ access, summary, path, method, description, operation }) => ({
      name: summary,
      path,
      methods: [method],
      description,
      function: operation,
      id: operation,
      protected: access !== 'public',
      required_type: access === 'public' ? [] : [...access.roles].sort(),
      required_priv: access === 'public' ? [] : access.privileges,
      ui_only: false,
      complete: true,
    }));
  return { apis, blueprints: API_SECTIONS[version] };
}
