// The styles of every page. The build names the layers of tokens.css in each style sheet.
import './tokens.css';
import './fonts.css';
import './base.css';
