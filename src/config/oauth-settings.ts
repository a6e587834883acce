import { Type } from 'typebox';
import {
  choice,
  integer,
  mapOf,
  onOff,
  optionalAddress,
  optionalChoice,
  optionalText,
  section,
  sections,
  text,
  textList,
} from './setting-kinds.ts';

const address = (description: string) => optionalAddress({ description });

const texts = (description: string) => mapOf(Type.String(), { description, allowed: 'a mapping of texts' });

/** Settings of one service at a provider, which override those of the provider. */
const clientOf = (service: string) =>
  section({
    client_id: optionalText({ description: `Client identifier of the ${service} service, when it has its own.` }),
    client_secret: optionalText({ description: 'Secret of that client.' }),
    audience: optionalText({ description: `Audience of tokens for the ${service} service.` }),
    alternate_audiences: textList({
      description: `Further audiences that the ${service} service accepts, in addition to those of the provider.`,
      default: [],
    }),
    scope: optionalText({ description: `Scope that a login at the ${service} service asks for.` }),
    exchange_scope: optionalText({
      description: `Scope that a token of a user is exchanged with for one for the ${service} service. With Entra ID: the audience with \`/.default\`.`,
    }),
  });

const providerSettings = section({
  client_id: optionalText({ description: 'Client identifier that the provider gave to this installation.' }),
  client_secret: optionalText({
    description: 'Secret of that client; better in the variable `<NAME>_CLIENT_SECRET`. Without it: a public client.',
  }),
  discovery_url: address(
    'Issuer of the provider, or the address of its `/.well-known/openid-configuration`. The issuer and every address below that is not given comes from there.',
  ),
  iss: optionalText({
    description:
      'Issuer that tokens of this provider name. Without it and without discovery a token belongs to this provider when its key identifier is in `jwks_uri`.',
  }),
  jwks_uri: address('Address of the keys that the provider signs with.'),
  authorize_url: address('Address that browsers are sent to for a login.'),
  authorize_params: texts('Further parameters of that address.'),
  access_token_url: address('Address that gives out tokens.'),
  access_token_params: texts('Further parameters of requests for tokens.'),
  end_session_url: address('Address that ends the session at the provider.'),
  api_base_url: address('Address that relative addresses of this provider begin with.'),
  user_get: optionalText({ description: 'Address of the profile of a user, when tokens do not say enough.' }),
  user_groups: optionalText({ description: 'Address of the groups of a user, as the analysis service names it.' }),
  groups_url: optionalText({ description: 'Address of the groups of a user.' }),
  groups_key: optionalText({ description: 'Key of the list of groups in that answer.' }),
  picture_url: optionalText({ description: 'Address of the picture of a user.' }),
  audience: optionalText({ description: 'Audience that tokens have to be for. Default: `client_id`.' }),
  alternate_audiences: textList({ description: 'Further audiences that every service accepts.', default: [] }),
  external_token_alternate_audiences: textList({
    description: 'Further audiences that the analysis service accepts.',
    default: [],
  }),
  allow_external_tokens: onOff({
    description: 'The analysis service takes tokens of this provider with the header `X-TOKEN-PROVIDER`.',
    default: true,
  }),
  scope: text({ description: 'Scope that a login asks for, separated by spaces.', default: 'openid email profile' }),
  pkce: onOff({
    description:
      'Logins prove by PKCE (RFC 7636) that they end where they began. Off only for a provider that refuses the parameters of it; state and nonce do that then.',
    default: true,
  }),
  jwt_token_alg: optionalChoice(
    ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'],
    {
      description: 'The one algorithm that tokens of this provider are signed with. Default: what the key says.',
    },
  ),
  on_behalf_of: choice(['token_exchange', 'jwt_bearer'], {
    description:
      'How a token of a user is exchanged for one with another audience: by RFC 8693, or by the on-behalf-of grant of Entra ID.',
    default: 'token_exchange',
  }),
  auto_create: onOff({ description: 'Makes an account at the first login of a user.', default: true }),
  auto_sync: onOff({ description: 'Brings the account up to date at every login.', default: false }),
  trust_email: onOff({
    description:
      'Takes every e-mail address of this provider as verified, also one without `email_verified: true` beside it. An address leads to an account, so only for providers whose users cannot choose it.',
    default: false,
  }),
  link_keeps_credentials: onOff({
    description:
      'An account keeps its password, API keys and second factor when it is linked to an identity of this provider for the first time. Only to take over accounts that were all made by administrators or by this provider.',
    default: false,
  }),
  auto_properties: sections(
    section({
      field: text({ description: 'Claim that is looked at.', default: '' }),
      pattern: text({ description: 'Regular expression that its beginning has to match.', default: '.*' }),
      type: choice(['access', 'assignment', 'classification', 'group', 'multi_group', 'remove_role', 'role', 'type'], {
        description: 'What follows from a match.',
        default: 'access',
      }),
      value: text({ description: 'Value that follows: of access `True` or `False`, else a name.', default: '' }),
    }),
    { description: 'Properties of an account that follow from claims; the first match of each counts.', default: [] },
  ),
  required_groups: textList({ description: 'Groups that a token has to name, all of them.', default: [] }),
  role_map: texts('Group that gives a user type: `admin: soc-admins`.'),
  classification_map: texts('Classification that a group gives.'),
  uid_field: optionalText({
    description: 'Claim that names the user. Default: `uname`, else `preferred_username`, else the e-mail address.',
  }),
  uid_regex: optionalText({ description: 'Expression whose groups make the user name out of an e-mail address.' }),
  uid_format: optionalText({ description: 'Text that these groups are put into: `{0}-{1}`.' }),
  uid_randomize: onOff({ description: 'Gives new users random names.', default: false }),
  uid_randomize_digits: integer({
    description: 'Digits at the end of random names.',
    default: 0,
    minimum: 0,
    maximum: 32,
  }),
  uid_randomize_delimiter: text({ description: 'Between words and digits of random names.', default: '-' }),
  identity_id_field: text({
    description: 'Claim that identifies a user at this provider for good, also after a change of subject.',
    default: 'oid',
  }),
  email_fields: textList({
    description: 'Claims that hold the e-mail address; the first present one counts.',
    default: ['email', 'emails', 'extension_selectedEmailAddress', 'otherMails', 'preferred_username', 'upn'],
  }),
  ip_filter: textList({
    description:
      'Networks that logins through this provider may come from, and its tokens at the analysis service. Default: all.',
    default: [],
  }),
  tenant_id: optionalText({ description: 'Accepted so that files of the public systems load; without effect.' }),
  request_token_url: optionalText({
    description: 'Of OAuth 1; accepted so that files of the public systems load, without effect.',
  }),
  request_token_params: texts('Of OAuth 1; accepted so that files of the public systems load, without effect.'),
  validate_token_with_secret: onOff({
    description:
      'Accepted so that files of the public systems load, without effect: tokens are checked by the keys of the provider.',
    default: false,
  }),
  services: section({
    alerts: clientOf('alert'),
    analysis: clientOf('analysis'),
    enrichment: clientOf('enrichment'),
  }),
});

export const oauthSettings = section({
  enabled: onOff({ description: 'Users may log in through identity providers.', default: false }),
  gravatar_enabled: onOff({ description: 'Users without a picture get that of gravatar.com.', default: true }),
  strict_apikeys: onOff({
    description: 'API keys that are made with a token of a provider end with that token at the latest.',
    default: false,
  }),
  redirect_origins: textList({
    description:
      'Web interfaces that may start a login, in addition to those at the address of the service: `https://triad.example.org`, without a path.',
    default: [],
  }),
  other_audiences: textList({ description: 'Further audiences that the enrichment service accepts.', default: [] }),
  providers: mapOf(providerSettings, {
    description: 'Identity providers by name. The name is part of addresses and of what the web interface shows.',
  }),
});
