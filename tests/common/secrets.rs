//! Texts that hold a secret, one class each or more.

/// Lines with `@` where the secret stands, one class each or more.
pub(crate) const TEMPLATES: &[&str] = &[
    "[W 2026-11-30 15:22:30.902 ServerApp] 404 GET /api/kernels?token=@ (ada@127.0.0.1) 2.1ms",
    "http://127.0.0.1:8888/lab?reset&token=@",
    "/hub/login?next=%2Flab%3Ftoken%3D@",
    "Authorization: token @",
    "{'Authorization': 'Bearer @', 'Accept': '*/*'}",
    "{\"log\":\"headers: {\\\"Authorization\\\": \\\"token @\\\"}\\n\",\"stream\":\"stderr\"}",
    "authorization=Basic @",
    "\"token\": \"@\"",
    "'api_token': '@',",
    "{\\\"token\\\": \\\"@\\\", \\\"id\\\": 3}",
    "jupyter lab --IdentityProvider.token=@ --port 9999",
    "jupyter notebook --NotebookApp.token='@'",
    "c.ServerApp.token = u'@'",
    "hub --token @ --quiet",
    "    \"JPY_API_TOKEN=@\",",
    "JUPYTERHUB_API_TOKEN=@",
    "CONFIGPROXY_AUTH_TOKEN: \"@\"",
    "postgres://hub:@@db.example.org:5432/hub",
    "git clone https://x-access-token:@@github.com/o/r",
    "password=@",
    "c.ServerApp.password = '@'",
    "\"passwd\": \"@\"",
    "DB_PASSWORD: @",
    "client_secret=@&grant_type=code",
    "OPENAI_API_KEY=@",
    "x-api-key: @",
    "aws_secret_access_key = @",
    "AccountKey=@;EndpointSuffix=core.windows.net",
    "https://b.s3.amazonaws.com/f?X-Amz-Signature=@&X-Amz-Expires=60",
    "https://x.blob.core.windows.net/c?sv=1&sig=@",
    "Cookie: _xsrf=2; username-host-8888=\"@\"; a=@",
    "Set-Cookie: session=@; Path=/",
    "'Cookie': 'jupyterhub-session-id=@'",
    "POST /login?_xsrf=@",
    "-----BEGIN RSA PRIVATE KEY-----\\n@\\n-----END RSA PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\n@\n",
    "AKIA@UPPER16",
    "using hf_@ALNUM24 for the hub",
    "ghp_@ALNUM36",
    "github_pat_@ALNUM36",
    "glpat-@ALNUM24",
    "xoxb-@ALNUM24",
    "sk-proj-A1@ALNUM36",
    "sk-ant-A1@ALNUM36",
    "AIza@ALNUM36",
    "eyJhbGciOiJIUzI1NiJ9.eyJ@ALNUM24.@ALNUM24",
    "the token is @HEX48",
    "\"auths\": {\"r.io\": {\"auth\": \"@ALNUM24\"}}",
];

/// Puts a canary into a template; gives the text and the secret.
pub(crate) fn filled(template: &str, canary: &str) -> (String, String) {
    let wide: String = canary.chars().cycle().take(48).collect();
    let mut text = template.to_owned();
    let mut secret = canary.to_owned();
    let pieces = [
        ("@UPPER16", wide.to_uppercase().chars().take(16).collect::<String>()),
        ("@ALNUM24", wide.chars().take(24).collect()),
        ("@ALNUM36", wide.chars().take(36).collect()),
        ("@HEX48", wide.chars().map(|c| if c.is_ascii_hexdigit() { c } else { 'e' }).collect()),
    ];
    for (mark, piece) in pieces {
        if text.contains(mark) {
            text = text.replace(mark, &piece);
            secret = piece;
        }
    }
    // Only one `@` of `user:@@host` is the secret's place; an address has its own.
    let text = text.replace("ada@127", "ada\u{1}127").replace("@@", "\u{2}\u{1}").replace('@', "\u{2}");
    (text.replace('\u{2}', canary).replace('\u{1}', "@"), secret)
}
