import { choice, integer, onOff, optionalText } from './setting-kinds.ts';

/** Sessions of the analysis service, below `analysis.ui`. */
export const analysisSessionSettings = {
  session_duration: integer({
    description: 'Seconds until a session ends.',
    default: 3600,
    minimum: 60,
    maximum: 2_592_000,
  }),
  secret_key: optionalText({
    description:
      'Secret that on-behalf-of tokens of the analysis service are signed with. Default: made at the first use and kept with the coordination state. With that of a public system, the tokens that it gave out stay good.',
  }),
  validate_session_ip: onOff({
    description: 'A session is good from the address alone that opened it.',
    default: true,
  }),
  validate_session_useragent: onOff({
    description: 'A session is good for the user agent alone that opened it.',
    default: true,
  }),
  session_cookies: choice(['auto', 'secure', 'insecure'], {
    description:
      'Whether browsers send the cookies of a session over HTTPS alone (`secure`). `auto`: when the public URL begins with `https`, or the browser came over HTTPS, also where a proxy says so in X-Forwarded-Proto.',
    default: 'auto',
  }),
};
