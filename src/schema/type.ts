/**
 * Builds JSON schemas of settings and of routes.
 * TypeBox, whose module is large, is imported here and in tests alone; its types may be imported from itself.
 */
export { Type } from 'typebox';
