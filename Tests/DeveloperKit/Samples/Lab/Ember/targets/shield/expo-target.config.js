module.exports = {
  type: "shield-config",
  name: "EmberShield",
  entitlements: { "com.apple.security.application-groups": ["group.dev.example.ember"] },
};
