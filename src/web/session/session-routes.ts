import type { FastifyReply, FastifyRequest } from 'fastify';
import { InvalidInput } from '../../errors/errors.ts';
import { requestOrigin } from '../../http/guard.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import { startProviderLogin, verifyProviderLogin } from '../../http/origins/provider-login.ts';
import { NO_CONTENT, type RouteModule } from '../../http/route-access.ts';
import { type Actor, PRIVILEGES } from '../../identity/actor.ts';
import type { CodeLogin, ProviderArrival } from '../../identity/oauth/code-login.ts';
import { webReturnAddress } from '../../identity/oauth/return-address.ts';
import type { OpenedWebSession, WebIdentity, WebLoginRequest } from '../../identity/web-identity.ts';
import { expiredCookie, readSessionCookie, sessionCookie } from './session-cookie.ts';
import { SessionStateReply, type SignIn, SignInBody, shownSession } from './session-schemas.ts';

export interface SessionRouteDependencies {
  readonly identity: WebIdentity;
  readonly codeLogin: Pick<CodeLogin, 'begin' | 'verify'>;
  /** Called after a sign-in at a provider has opened a session, for which it may need a second factor. */
  readonly signedIn: (arrival: ProviderArrival) => Promise<void>;
  readonly signIn: {
    readonly password: boolean;
    readonly apiKey: boolean;
    /** The advice for a forgotten password; null: the page says it in its own words. */
    readonly forgottenPassword: string | null;
    /** Names of identity providers. */
    readonly providers: readonly string[];
  };
  /** Returns the addresses by which programs reach the services, by name. @param host of the browser */
  readonly addresses: (host: string) => Readonly<Record<string, string>>;
}

const tags = ['session'];
const PROVIDERS = '/session/providers';
/** Bytes of a sign-in, with the answer of a security key as a list of numbers. Strangers send it. */
const MAX_SIGN_IN = 262_144;

/** Registers `/session`: the session of the browser, which is opened, read and ended there. */
export const sessionRoutes =
  (dependencies: SessionRouteDependencies): RouteModule =>
  (app) => {
    const { identity, codeLogin, signIn } = dependencies;

    const state = async (cookie: string | undefined, host: string) => {
      const found = cookie === undefined ? undefined : await identity.sessionOf(cookie);
      return {
        session: found === undefined ? null : { ...shownSession(found.session), ...shownUser(found.actor) },
        sign_in: {
          password: signIn.password,
          api_key: signIn.apiKey,
          forgotten_password: signIn.forgottenPassword,
          providers: signIn.providers.map((name) => ({
            name,
            label: name,
            url: `${PROVIDERS}/${encodeURIComponent(name)}`,
          })),
        },
        services: found === undefined ? {} : dependencies.addresses(host),
      };
    };

    const open = async (body: SignIn, request: FastifyRequest): Promise<OpenedWebSession> => {
      if (body.method !== 'provider' || body.ticket !== undefined) return identity.login(loginRequest(body, request));
      const provider = needed(body, 'provider');
      const arrival = await verifyProviderLogin(codeLogin, 'web', request, { ...body, provider });
      return identity.openOfProvider(arrival, requestOrigin(request));
    };

    app.get(
      '/session',
      {
        access: 'public',
        schema: {
          tags,
          summary: 'Read the session of the browser',
          description:
            'The session, or null, and the ways to sign in. A page that reads it often does not keep the session from ending when it is idle.',
          response: { 200: SessionStateReply },
        },
      },
      async (request, reply) => {
        const cookie = cookieOf(request);
        const answer = await state(cookie, request.hostname);
        if (cookie !== undefined && answer.session === null) forget(request, reply);
        return answer;
      },
    );

    app.post(
      '/session',
      {
        access: 'public',
        bodyLimit: MAX_SIGN_IN,
        compress: false,
        schema: {
          tags,
          summary: 'Sign in',
          description:
            'Opens a session by a password, an API key or the answer of an identity provider, and sets its cookie. The session has the rights of that credential, and ends with it.',
          body: SignInBody,
          response: { 200: SessionStateReply },
          refusals: [401, 403, 429],
        },
      },
      async (request, reply) => {
        const { cookie, arrival } = await open(request.body, request);
        if (arrival !== undefined) await dependencies.signedIn(arrival);
        const previous = cookieOf(request);
        // The browser forgets it: no one could end it any more.
        if (previous !== undefined) await identity.logout(previous, requestOrigin(request));
        const answer = await state(cookie, request.hostname);
        const { session } = answer;
        const seconds = session === null ? 0 : (Date.parse(session.expires_at) - Date.parse(session.opened_at)) / 1000;
        reply.header('set-cookie', sessionCookie(request.place, cookie, seconds));
        return answer;
      },
    );

    app.delete(
      '/session',
      { access: 'public', schema: { tags, summary: 'Sign out', response: NO_CONTENT } },
      async (request, reply) => {
        const cookie = cookieOf(request);
        if (cookie !== undefined) await identity.logout(cookie, requestOrigin(request));
        forget(request, reply);
      },
    );

    app.get(
      `${PROVIDERS}/:name`,
      {
        access: 'public',
        schema: {
          tags,
          summary: 'Begin a sign-in at an identity provider',
          description:
            'Sends the browser to the page of the provider, which sends it back to the page `/sign-in/provider/<name>` with `code` and `state` for `POST /session`.',
          params: pathParameters({ name: ['Name of the provider.', 'keycloak'] }),
          response: { 302: {} },
          refusals: [429],
        },
      },
      (request, reply) => {
        const provider = request.params.name;
        const redirectAddress = webReturnAddress(request.place, provider);
        const secure = redirectAddress.startsWith('https:');
        return startProviderLogin(codeLogin, 'web', request, reply, { provider, redirectAddress, secure });
      },
    );
  };

function cookieOf({ place, headers }: FastifyRequest): string | undefined {
  return readSessionCookie(place, headers.cookie);
}

function forget({ place }: FastifyRequest, reply: FastifyReply): void {
  reply.header('set-cookie', expiredCookie(place));
}

function loginRequest(body: SignIn, request: FastifyRequest): WebLoginRequest {
  const origin = requestOrigin(request);
  const user = needed(body, 'user');
  if (body.method === 'apikey') return { ...origin, method: 'apikey', user, apikey: needed(body, 'apikey') };
  if (body.ticket !== undefined && body.method === 'provider') {
    return { ...origin, method: 'provider', user, ticket: body.ticket, factor: body };
  }
  return { ...origin, method: 'password', user, password: needed(body, 'password'), factor: body };
}

/** @throws InvalidInput `incomplete_sign_in` */
function needed(body: SignIn, name: 'user' | 'password' | 'apikey' | 'provider'): string {
  const value = body[name];
  if (value !== undefined) return value;
  throw new InvalidInput('incomplete_sign_in', `A sign-in by "${body.method}" needs the member "${name}".`, {
    at: name,
  });
}

function shownUser({ username, name, privileges, isAdmin }: Actor) {
  return {
    username,
    name,
    privileges: PRIVILEGES.filter((privilege) => privileges.has(privilege)),
    is_admin: isAdmin,
  };
}
