//! The macro that turns the catalogue's table into types, names, field lists and field access.

/// Declares every kind of event once: struct, name, role, fields and their documentation.
macro_rules! catalogue {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident $kind:literal $role:ident {
            $( $(#[doc = $field_doc:literal])+ $field:ident : $type:ty ),* $(,)?
        }
    )*) => {
        $(
            $(#[doc = $doc])+
            #[derive(Debug, Clone, PartialEq, Default)]
            pub struct $name { $( $(#[doc = $field_doc])+ pub $field: Option<$type>, )* }

            impl From<$name> for Event {
                fn from(event: $name) -> Self { Self::$name(Box::new(event)) }
            }
        )*

        /// Something a log says happened, of one of the catalogue's kinds.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Event { $( $(#[doc = $doc])+ $name(Box<$name>), )* }

        impl Event {
            /// The description of this event's kind.
            pub fn kind(&self) -> &'static Kind {
                match self { $( Self::$name(_) => {
                    static KIND: Kind = Kind {
                        name: $kind, role: Role::$role, doc: &[$($doc),+],
                        fields: &[ $( FieldSpec { name: stringify!($field), kind: <$type as Field>::TYPE,
                                                  doc: &[$($field_doc),+] } ),* ],
                    };
                    &KIND
                } )* }
            }

            /// The value of a field, if the log gave it.
            pub fn get(&self, field: &str) -> Option<Value> {
                match self { $( Self::$name(_event) => match field {
                    $( stringify!($field) => _event.$field.as_ref().map(Field::to_value), )*
                    _ => None,
                } )* }
            }

            /// Sets a field by name; `false` if there is no such field or the type does not fit.
            pub fn set(&mut self, field: &str, value: Value) -> bool {
                let _ = &value;
                match self { $( Self::$name(_event) => match field {
                    $( stringify!($field) => {
                        _event.$field = Field::from_value(value);
                        _event.$field.is_some()
                    } )*
                    _ => false,
                } )* }
            }

            /// An event of the named kind with no field set.
            pub fn empty(kind: &str) -> Option<Self> {
                match kind { $( $kind => Some($name::default().into()), )* _ => None }
            }
        }

        /// Every kind of the catalogue, in the order of its declaration.
        pub fn kinds() -> Vec<&'static Kind> {
            vec![ $( Event::from($name::default()).kind() ),* ]
        }
    };
}
pub(super) use catalogue;
