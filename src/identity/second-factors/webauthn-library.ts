/**
 * Loads the library at its first use. At the start, it would take 100 ms and 26 MB of every process,
 * most of which never see a security key.
 */
export const webauthn = () => import('@simplewebauthn/server');

/** Loads the library's readers of CBOR, which load all of it. */
export const webauthnHelpers = () => import('@simplewebauthn/server/helpers');
