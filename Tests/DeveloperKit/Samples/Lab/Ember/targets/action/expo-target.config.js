module.exports = { type: `shield-action`, name: `EmberAction` };
