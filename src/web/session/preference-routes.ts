import { Type } from 'typebox';
import { requestedVersion, sendVersion } from '../../http/input/record-versions.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import type { PreferencesService } from '../../identity/accounts/preferences-service.ts';

export interface PreferenceRouteDependencies {
  readonly preferences: PreferencesService;
}

const tags = ['session'];
const ADDRESS = '/session/preferences';
const OWN: GuardedAccess = { privileges: ['R', 'W', 'E'], roles: 'any' };
const CHANGE: GuardedAccess = { privileges: ['W', 'E'], roles: 'any' };
/** Bytes of a body: JSON with spaces may be larger than what is kept. */
const MAX_BODY = 256 * 1024;
const Preferences = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Members by name; the pages alone know their meaning.',
  examples: [{ theme: 'dark', language: 'fr' }],
});

/** Registers `/session/preferences`: what users chose in the web interface, in every browser. */
export const preferenceRoutes =
  ({ preferences }: PreferenceRouteDependencies): RouteModule =>
  (app) => {
    app.get(
      ADDRESS,
      {
        access: OWN,
        schema: {
          tags,
          summary: "Get the caller's preferences",
          description: 'An empty object before the first change. The header `ETag` is the version for `If-Match`.',
          response: { 200: Preferences },
        },
      },
      async ({ actor }, reply) => {
        const found = await preferences.get(actor.username);
        sendVersion(reply, found.version);
        return found.preferences;
      },
    );

    app.put(
      ADDRESS,
      {
        access: CHANGE,
        bodyLimit: MAX_BODY,
        schema: {
          tags,
          summary: "Replace the caller's preferences",
          description:
            'A JSON object of at most 64 KiB. With `If-Match`, only that version is replaced (409 otherwise); without, any.',
          body: Preferences,
          response: { 200: Preferences },
        },
      },
      async (request, reply) => {
        const { username } = request.actor;
        const saved = await preferences.set(username, request.body, requestedVersion(request));
        sendVersion(reply, saved.version);
        return saved.preferences;
      },
    );
  };
