import { Type } from 'typebox';
import { reading } from '../input/input-kinds.ts';
import {
  choice,
  integer,
  mapOf,
  onOff,
  optionalAddress,
  optionalChoice,
  optionalText,
  parseJson,
  section,
  sections,
  text,
  textList,
} from './setting-kinds.ts';

const texts = (description: string) => mapOf(Type.String(), description, { allowed: 'a mapping of texts' });

/** Parameters of an address by name, or in the form of a query: `prompt=login`. */
const parameters = (description: string) =>
  reading(texts(description), {
    accept: (given) => {
      if (typeof given !== 'string') return given;
      return given.trimStart().startsWith('{') ? parseJson(given) : Object.fromEntries(new URLSearchParams(given));
    },
  });

/** Settings of one service at a provider, which override those of the provider. */
const clientOf = (service: string) =>
  section({
    client_id: optionalText(`Client identifier of the ${service} service, when it has its own.`),
    client_secret: optionalText('Secret of that client.'),
    audience: optionalText(`Audience of tokens for the ${service} service.`),
    alternate_audiences: textList(
      `Further audiences that the ${service} service accepts, in addition to those of the provider.`,
    ),
    scope: optionalText(`Scope that a login at the ${service} service asks for.`),
    exchange_scope: optionalText(
      `Scope that a token of a user is exchanged with for one for the ${service} service. With Entra ID: the audience with \`/.default\`.`,
    ),
  });

const providerSettings = section({
  client_id: optionalText('Client identifier that the provider gave to this installation.'),
  client_secret: optionalText(
    'Secret of that client; better in the variable `<NAME>_CLIENT_SECRET`. Without it: a public client.',
  ),
  discovery_url: optionalAddress(
    'Issuer of the provider, or the address of its `/.well-known/openid-configuration`. The issuer and every address below that is not given comes from there.',
  ),
  iss: optionalText(
    'Issuer that tokens of this provider name. Without it and without discovery a token belongs to this provider when its key identifier is in `jwks_uri`.',
  ),
  jwks_uri: optionalAddress('Address of the keys that the provider signs with.'),
  authorize_url: optionalAddress('Address that browsers are sent to for a login.'),
  authorize_params: parameters('Further parameters of that address.'),
  access_token_url: optionalAddress('Address that gives out tokens.'),
  access_token_params: parameters('Further parameters of requests for tokens.'),
  end_session_url: optionalAddress('Address that ends the session at the provider.'),
  api_base_url: optionalAddress('Address that relative addresses of this provider begin with.'),
  user_get: optionalText('Address of the profile of a user, when tokens do not say enough.'),
  user_groups: optionalText('Address of the groups of a user, as the analysis service names it.'),
  groups_url: optionalText('Address of the groups of a user.'),
  groups_key: optionalText('Key of the list of groups in that answer.'),
  picture_url: optionalText('Address of the picture of a user.'),
  audience: optionalText('Audience that tokens have to be for. Default: `client_id`.'),
  alternate_audiences: textList('Further audiences that every service accepts.'),
  external_token_alternate_audiences: textList('Further audiences that the analysis service accepts.'),
  allow_external_tokens: onOff(
    'The analysis service takes tokens of this provider with the header `X-TOKEN-PROVIDER`.',
    true,
  ),
  scope: text('Scope that a login asks for, separated by spaces.', 'openid email profile'),
  pkce: onOff(
    'Logins prove by PKCE (RFC 7636) that they end where they began. Off only for a provider that refuses the parameters of it; state and nonce do that then.',
    true,
  ),
  jwt_token_alg: optionalChoice(
    ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'],
    'The one algorithm that tokens of this provider are signed with. Default: what the key says.',
  ),
  on_behalf_of: choice(
    ['token_exchange', 'jwt_bearer'],
    'How a token of a user is exchanged for one with another audience: by RFC 8693, or by the on-behalf-of grant of Entra ID.',
    'token_exchange',
  ),
  auto_create: onOff('Makes an account at the first login of a user.', true),
  auto_sync: onOff('Brings the account up to date at every login.', false),
  trust_email: onOff(
    'Takes every e-mail address of this provider as verified, also one without `email_verified: true` beside it. An address leads to an account, so only for providers whose users cannot choose it.',
    false,
  ),
  link_keeps_credentials: onOff(
    'An account keeps its password, API keys and second factor when it is linked to an identity of this provider for the first time. Only to take over accounts that were all made by administrators or by this provider.',
    false,
  ),
  auto_properties: sections(
    section({
      field: text('Claim that is looked at.', ''),
      pattern: text('Regular expression that its beginning has to match.', '.*'),
      type: choice(
        ['access', 'assignment', 'classification', 'group', 'multi_group', 'remove_role', 'role', 'type'],
        'What follows from a match.',
        'access',
      ),
      value: text('Value that follows: of access `True` or `False`, else a name.', ''),
    }),
    'Properties of an account that follow from claims; the first match of each counts.',
  ),
  required_groups: textList('Groups that a token has to name, all of them.'),
  role_map: texts('Group that gives a user type: `admin: soc-admins`.'),
  classification_map: texts('Classification that a group gives.'),
  uid_field: optionalText(
    'Claim that names the user. Default: `uname`, else `preferred_username`, else the e-mail address.',
  ),
  uid_regex: optionalText('Expression whose groups make the user name out of an e-mail address.'),
  uid_format: optionalText('Text that these groups are put into: `{0}-{1}`.'),
  uid_randomize: onOff('Gives new users random names.', false),
  uid_randomize_digits: integer('Digits at the end of random names.', 0, { maximum: 32 }),
  uid_randomize_delimiter: text('Between words and digits of random names.', '-'),
  identity_id_field: text(
    'Claim that identifies a user at this provider for good, also after a change of subject.',
    'oid',
  ),
  email_fields: textList(
    'Claims that hold the e-mail address; the first present one counts.',
    'email, emails, extension_selectedEmailAddress, otherMails, preferred_username, upn',
  ),
  ip_filter: textList(
    'Networks that logins through this provider may come from, and its tokens at the analysis service. Default: all.',
  ),
  tenant_id: optionalText('Accepted so that files of the public systems load; without effect.'),
  request_token_url: optionalText('Of OAuth 1; accepted so that files of the public systems load, without effect.'),
  request_token_params: parameters('Of OAuth 1; accepted so that files of the public systems load, without effect.'),
  validate_token_with_secret: onOff(
    'Accepted so that files of the public systems load, without effect: tokens are checked by the keys of the provider.',
    false,
  ),
  services: section({
    alerts: clientOf('alert'),
    analysis: clientOf('analysis'),
    enrichment: clientOf('enrichment'),
  }),
});

export const oauthSettings = section({
  enabled: onOff('Users may log in through identity providers.', false),
  gravatar_enabled: onOff('Users without a picture get that of gravatar.com.', true),
  strict_apikeys: onOff('API keys that are made with a token of a provider end with that token at the latest.', false),
  redirect_origins: textList(
    'Web interfaces that may start a login, in addition to those at the address of the service: `https://triad.example.org`, without a path.',
  ),
  other_audiences: textList('Further audiences that the enrichment service accepts.'),
  providers: mapOf(
    providerSettings,
    'Identity providers by name. The name is part of addresses and of what the web interface shows.',
  ),
});
