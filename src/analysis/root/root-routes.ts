import { Type } from 'typebox';
import { mayUse } from '../../http/guard.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { type ListedRoute, type RouteList, versionsOf } from '../../http/route-list.ts';
import type { Actor } from '../../identity/actor.ts';
import { presence } from '../../input/input-kinds.ts';
import { ANYONE, operation } from '../operations/analysis-operation.ts';

export interface RootRouteDependencies {
  /** Routes of the service itself; read at each request, when the list is complete. */
  readonly routes: RouteList;
  /** True if audit lines are written at all. */
  readonly audit: boolean;
  /** True if the service is read-only; then blocked routes are not shown. */
  readonly readOnly: boolean;
}

/** Sections of the interface by the resource in their path, as clients show them in their help. */
const API_SECTIONS: Readonly<Record<string, string>> = {
  alert: 'Submissions that people should look at',
  apikey: 'Keys that programs sign in with',
  auth: 'Sign in and out, and how users prove who they are',
  badlist: 'Files and tags that are known to be malicious',
  bundle: 'Submissions with everything that belongs to them, to take elsewhere',
  documentation: 'What the interface consists of',
  error: 'Failures of services',
  federated_lookup: 'What other systems know of a tag',
  file: 'Files, what they are and what was found in them',
  hash_search: 'What this and other systems know of a hash',
  help: 'What a client has to know of the installation',
  heuristics: 'What services look for, and how often they found it',
  ingest: 'Files that come in bulk',
  live: 'What happens to submissions while they run',
  ontology: 'Results in the form of the ontology, for other programs',
  result: 'What services found in files',
  safelist: 'Files, tags and signatures that are known to be harmless',
  search: 'Search submissions, files, results and everything else',
  service: 'Services that analyse files',
  signature: 'Rules that services apply to files, and where they come from',
  submission: 'Submissions, what was found in them and what users think of them',
  submit: 'Files whose analysis their sender waits for',
  system: 'What administrators tell all users and components',
  ui: 'Uploads of the web interface',
  user: 'Accounts and what belongs to them',
  webauthn: 'Security keys that users sign in with',
  workflow: 'Changes that alerts get by themselves',
};

const SiteMapQuery = Type.Object({
  unsafe_only: presence({ description: 'Present: only public routes.' }),
});

const REFERENCE = '/api/v4/';

/** Serves a description of the interface by its own routes (contract/analysis.md section 10.3). */
export const rootRoutes =
  ({ routes, audit, readOnly }: RootRouteDependencies): RouteModule =>
  (app) => {
    const served = () =>
      routes.all.filter(({ access }) => !readOnly || access === 'public' || access.readOnly !== false);

    app.get(
      '/api/',
      { access: ANYONE, schema: operation('api_api_version_list', 'Versions of the interface', {}) },
      async () => versionsOf(routes.all),
    );

    app.get(
      '/api/site_map/',
      {
        access: { ...ANYONE, roles: ['administration'] },
        schema: operation('api_site_map', 'Every route and who may call it', { querystring: SiteMapQuery }),
      },
      async ({ query }) => {
        return served()
          .filter((route) => !query.unsafe_only || route.access === 'public')
          .map((route) => siteMapEntry(route, audit))
          .sort((left, right) => (left.url < right.url ? -1 : Number(left.url > right.url)));
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

/** Returns the name of the operation without the resource that it begins with. */
function wordsOf({ operation: name, tag }: ListedRoute): string {
  return name.startsWith(`${tag}_`) ? name.slice(tag.length + 1) : name;
}

/** Returns the name in the public interface, such as `api.v4.help.get_terms_of_service`. */
function functionOf(route: ListedRoute): string {
  const version = route.path.startsWith(REFERENCE) ? 'api.v4.' : '';
  return `${version}${route.path === REFERENCE ? 'apiv4' : route.tag}.${wordsOf(route)}`;
}

function nameOf(route: ListedRoute): string {
  const words = wordsOf(route).split('_');
  return words.map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`).join(' ');
}
