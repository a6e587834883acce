export { defineAction } from './actions.js';
export { memoryStore } from './cache.js';
export { AuthenticationFailed, InvalidData, NotFound, PluginError, TimedOut, Unprocessable } from './errors.js';
export { createPlugin } from './plugin.js';
export { jwksTokens, userOf } from './tokens.js';
export { askUpstream } from './upstream.js';
