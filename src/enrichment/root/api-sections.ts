/** Sections of the interface, as clients show them in their help. */
export const API_SECTIONS = {
  documentation: 'What the interface consists of',
  v1_auth: 'Sign in through an identity provider',
  v1_configs: 'What the web interface has to know before anybody signs in',
  v1_lookup: 'What can be looked up, and where',
  v1_static: 'Texts of the help page',
} as const;
