// The styles of every page, in this order: tokens.css names the cascade layers.
import './tokens.css';
import './fonts.css';
import './base.css';
